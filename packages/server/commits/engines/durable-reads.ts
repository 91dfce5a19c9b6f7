import type { Awaitable, Sql, SqlValue, Statement } from '../../store/sql.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import type { CommitPosition } from './commit-position.ts';

/**
 * Reads of the main thread. An answer that may contain a commit that is not on disk yet is handed over only when it is,
 * so that nobody is shown what a power cut can take back (STORE-13).
 */
export class DurableReads implements Sql {
  readonly #connection: SqliteConnection;
  readonly #position: CommitPosition;

  constructor(connection: SqliteConnection, position: CommitPosition) {
    this.#connection = connection;
    this.#position = position;
  }

  get<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Awaitable<Row | undefined> {
    return this.#whenFlushed(this.#connection.get(statement, ...params));
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Awaitable<Row[]> {
    return this.#whenFlushed(this.#connection.all(statement, ...params));
  }

  list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Awaitable<Row[]> {
    return this.#whenFlushed(this.#connection.list(statement, values, ...params));
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Awaitable<Row[]> {
    return this.#whenFlushed(this.#connection.gather(statement, keys));
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): number {
    return this.#connection.run(statement, ...params);
  }

  #whenFlushed<Value>(value: Value): Awaitable<Value> {
    return this.#position.isFlushed ? value : this.#later(value, this.#position.begun);
  }

  async #later<Value>(value: Value, commit: number): Promise<Value> {
    while (this.#position.flushed < commit) await this.#position.nextRelease();
    return value;
  }
}
