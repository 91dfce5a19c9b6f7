import type { Sql, SqlValue, Statement } from '../../store/sql.ts';

/** When a unit may write: after the first write, or the end, of the units that it must follow. */
export interface WriteTurn {
  /** Undefined if there is no such unit. */
  after: Promise<unknown> | undefined;
  /** The ends of these units. */
  ends: readonly Promise<unknown>[];
  /** Called with the first write. */
  pass: () => void;
}

const READS = /^\s*(select|with|explain)/i;

/**
 * The transaction of one unit on an asynchronous connection. It counts pending statements and records whether the unit
 * has written. After the unit's end it refuses all statements (STORE-5).
 */
export class TrackedTransaction implements Sql {
  /** Number of statements that are still waiting for an answer. */
  underWay = 0;
  /** The first error of a statement: the transaction has failed, even if the unit catches the error. */
  failure: Error | null = null;
  #connection: Sql | null;
  #writesUnderWay = 0;
  #hasWritten = false;
  readonly #onAnswered: () => void;
  readonly #turn: WriteTurn | undefined;

  /** `onAnswered` is called when no statement is pending. Writes wait for their `turn`, if there is one. */
  constructor(connection: Sql, onAnswered: () => void, turn?: WriteTurn) {
    this.#connection = connection;
    this.#onAnswered = onAnswered;
    this.#turn = turn;
  }

  /** Whether the unit has changed rows, or may be changing some now. */
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

  /** Resolves when the units that this one must follow have ended. */
  async inTurn(): Promise<void> {
    const ends = this.#turn?.ends ?? [];
    if (ends.length === 0) return;
    this.underWay += 1;
    await Promise.all(ends);
    this.underWay -= 1;
    if (this.underWay === 0) this.#onAnswered();
  }

  end(): void {
    this.#connection = null;
    this.#turn?.pass();
  }

  get #open(): Sql {
    if (!this.#connection) throw new Error('the unit of this transaction has ended');
    return this.#connection;
  }

  async #ask<Answer>(
    sql: string,
    ask: (connection: Sql) => Answer | Promise<Answer>,
    isChange: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const isWrite = !READS.test(sql);
    this.underWay += 1;
    if (isWrite) this.#writesUnderWay += 1;
    try {
      if (isWrite && this.#turn) {
        if (this.#turn.after) await this.#turn.after;
        this.#turn.pass();
      }
      const answer = await ask(this.#open);
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
