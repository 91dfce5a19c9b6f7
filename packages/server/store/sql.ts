// store/: the port, the statements by table family, migrations, the connections of both engines. Imports core and
// rules. Statements are constants in plain SQL that SQLite and PostgreSQL share, one file per table family; each engine
// prepares them once.

export type SqlValue = string | number | null | Uint8Array;

/** One SQL text with its parameters ($1, $2 …) and the shape of its rows. */
export interface Statement<Row = unknown, Params extends readonly SqlValue[] = readonly SqlValue[]> {
  readonly sql: string;
  readonly row?: Row;
  readonly params?: Params;
}

/** `(:list)` in the text stands for the values that `Sql.list` binds after the numbered parameters. */
export const statement = <Row, Params extends readonly SqlValue[] = []>(sql: string): Statement<Row, Params> => ({
  sql,
});

/** SQLite returns values, PostgreSQL promises: handlers await both. */
export type Awaitable<Value> = Value | Promise<Value>;

export interface Sql {
  get<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Awaitable<Row | undefined>;
  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Awaitable<Row[]>;
  /** The rows for a list of values of any length, in no particular order. */
  list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Awaitable<Row[]>;
  /** The rows that `get` finds for each key, in the order of the keys; for many quick lookups. */
  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Awaitable<Row[]>;
  /** Returns the number of changed rows. */
  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Awaitable<number>;
}
