import type { Sql, SqlValue, Statement } from '../../store/sql.ts';

const READS = /^\s*(select|with|explain)/i;

/**
 * An asynchronous connection as one unit sees it: it notes what the unit waits for and whether it wrote, and whoever
 * holds on to it after the unit's end writes nothing any more (STORE-5).
 */
export class TrackedTransaction implements Sql {
  readonly accountJson: Map<number, string>;
  /** Statements without an answer yet. */
  underWay = 0;
  /** The first error of a statement: the transaction has failed, whatever the unit makes of it. */
  failure: Error | null = null;
  #connection: Sql | null;
  #writesUnderWay = 0;
  #hasWritten = false;
  readonly #onAnswered: () => void;

  /** `accountJson`: what is known of accounts. `onAnswered`: it has an answer to all that it has asked so far. */
  constructor(connection: Sql, accountJson: Map<number, string>, onAnswered: () => void) {
    this.accountJson = accountJson;
    this.#connection = connection;
    this.#onAnswered = onAnswered;
  }

  /** Whether it has changed anything, or may have. */
  get hasWritten(): boolean {
    return this.#hasWritten || this.#writesUnderWay > 0;
  }

  get<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Promise<Row | undefined> {
    return this.#ask(
      statement.sql,
      (sql) => sql.get(statement, ...params),
      (row) => row !== undefined,
    );
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Promise<Row[]> {
    return this.#ask(
      statement.sql,
      (sql) => sql.all(statement, ...params),
      (rows) => rows.length > 0,
    );
  }

  list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Promise<Row[]> {
    return this.#ask(
      statement.sql,
      (sql) => sql.list(statement, values, ...params),
      () => true,
    );
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Promise<Row[]> {
    return this.#ask(
      statement.sql,
      (sql) => sql.gather(statement, keys),
      (rows) => rows.length > 0,
    );
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Promise<number> {
    return this.#ask(
      statement.sql,
      (sql) => sql.run(statement, ...params),
      (changed) => changed > 0,
    );
  }

  end(): void {
    this.#connection = null;
  }

  async #ask<Answer>(
    sql: string,
    ask: (connection: Sql) => Answer | Promise<Answer>,
    isChange: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const connection = this.#connection;
    if (!connection) throw new Error('the unit of this transaction has ended');
    const isWrite = !READS.test(sql);
    this.underWay += 1;
    if (isWrite) this.#writesUnderWay += 1;
    try {
      const answer = await ask(connection);
      if (isWrite && isChange(answer)) this.#hasWritten = true;
      return answer;
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      this.underWay -= 1;
      if (isWrite) this.#writesUnderWay -= 1;
      if (this.underWay === 0) this.#onAnswered();
    }
  }
}
