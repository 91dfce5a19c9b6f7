import type { Awaitable, Sql, SqlValue, Statement } from '../../store/sql.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import type { CommitPosition } from './commit-position.ts';

/**
 * Reads of the main thread whose rows are handed over only when every commit that they may contain is on the disk, so
 * that nobody is shown what a power cut can take back (STORE-13). Operations do not use them: a call waits once, before
 * its answer, and not for each of its reads.
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
    return this.#position.whenFlushed(this.#connection.get(statement, ...params));
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Awaitable<Row[]> {
    return this.#position.whenFlushed(this.#connection.all(statement, ...params));
  }

  list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Awaitable<Row[]> {
    return this.#position.whenFlushed(this.#connection.list(statement, values, ...params));
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Awaitable<Row[]> {
    return this.#position.whenFlushed(this.#connection.gather(statement, keys));
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): number {
    return this.#connection.run(statement, ...params);
  }
}
