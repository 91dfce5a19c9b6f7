import type { Awaitable, Sql, SqlValue, Statement } from '../../store/sql.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import type { CommitPosition } from './commit-position.ts';

/**
 * The main thread's reads for pushes, turns, files and exports. Each read returns its rows when all commits that they
 * may belong to are on the disk, so a power cut cannot take back anything that the service has sent (STORE-13).
 * Operations read without this wait: `dispatch` waits once per call, before it sends the answer.
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
