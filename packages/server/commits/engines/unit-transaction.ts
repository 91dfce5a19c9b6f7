import type { Sql, SqlValue, Statement } from '../../store/sql.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';

/** The transaction of one unit on a SQLite connection. After the unit's end it refuses all statements (STORE-5). */
export class UnitTransaction implements Sql {
  #connection: SqliteConnection | null;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  get<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row | undefined {
    return this.#open.get(statement, ...params);
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    return this.#open.all(statement, ...params);
  }

  list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Row[] {
    return this.#open.list(statement, values, ...params);
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Row[] {
    return this.#open.gather(statement, keys);
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): number {
    return this.#open.run(statement, ...params);
  }

  end(): void {
    this.#connection = null;
  }

  get #open(): SqliteConnection {
    if (!this.#connection) throw new Error('the unit of this transaction has ended');
    return this.#connection;
  }
}
