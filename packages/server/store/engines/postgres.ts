import { Client } from 'pg';
import { type Clock, systemClock, type Timer } from '../../core/clock.ts';
import type { Sql, SqlValue, Statement } from '../sql.ts';
import { ConnectionLost, isLeaving } from './postgres-errors.ts';
import { type Answer, Known, PostgresGroup } from './postgres-group.ts';
import { valueTypes } from './postgres-values.ts';

// How many places a prepared `(:list)` has; longer lists are cut into runs of the largest.
const LIST_SIZES = [1, 4, 16, 64, 256];
const CONNECT_MS = 5_000;

/**
 * Each text is planned once, for any values. The statements have an index for all that they look for, which a plan made
 * while the tables were small must use too: nested loops over indexes, as SQLite does it.
 */
const SETTINGS = `SET plan_cache_mode = force_generic_plan; SET jit = off; SET enable_seqscan = off;
  SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off;`;

const BEGINS = /^\s*begin\b/i;
const ENDS = /^\s*(commit|rollback(?!\s+to\b))\b/i;

export interface PostgresConnectionOptions {
  url: string;
  /** What the server's list of connections says of this one. */
  name?: string;
  /** Refuses whatever writes. */
  readOnly?: boolean;
  /** `SET …; SET …` behind those that all connections have. */
  settings?: string;
  /** A server that has owed an answer for so long counts as lost; without it, never. */
  silenceMs?: number;
  clock?: Clock;
}

interface Prepared {
  name: string;
  isWrite: boolean;
}

/** By text, for all connections: the name under which each prepares it. */
const prepared = new Map<string, Prepared>();
/** Texts with a list, by their number of places. */
const lists = new Map<string, Map<number, string>>();

/**
 * The PostgreSQL engine of the port: one connection. Whatever is asked goes out at once and is answered in that order;
 * nobody need wait for an answer before asking the next.
 */
export class PostgresConnection implements Sql {
  /** Keeps nothing: other nodes change accounts too. */
  readonly accountJson: Map<number, string> = new KeepsNothing();
  /** Counts statements that wrote, so that a caller can tell whether a unit changed anything. */
  writes = 0;
  /** Questions without an answer yet. */
  pending = 0;
  /** Resolves with the reason when the connection has ended, also by `close`. */
  readonly ended: Promise<ConnectionLost>;
  readonly #client: Client;
  readonly #silenceMs: number;
  readonly #clock: Clock;
  #lost: ConnectionLost | null = null;
  #end: (reason: ConnectionLost) => void = () => {};
  #silence: Timer | null = null;
  #answers = 0;
  #isCorked = false;
  /** From the question for its begin to that for its end. */
  #isInTransaction = false;
  /** What is asked of the transaction in this turn. */
  #group: PostgresGroup | null = null;
  /** By name, those that have been answered once. */
  readonly #known = new Map<string, Known>();

  private constructor({ url, name = 'parley', silenceMs = 0, clock = systemClock }: PostgresConnectionOptions) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#client = new Client({
      connectionString: url,
      fallback_application_name: name,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      pipeline: true,
      types: valueTypes,
    });
    this.#client.on('error', (error) => this.#lose(error));
    this.#client.on('end', () => this.#lose(new Error('closed')));
  }

  static async open(options: PostgresConnectionOptions): Promise<PostgresConnection> {
    const connection = new PostgresConnection(options);
    try {
      await connection.#client.connect();
      const readOnly = options.readOnly ? 'SET default_transaction_read_only = on;' : '';
      await connection.exec(SETTINGS + readOnly + (options.settings ?? ''));
    } catch (error) {
      throw connection.#lose(asError(error));
    }
    return connection;
  }

  async get<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Promise<Row | undefined> {
    const { rows } = await this.#ask(statement.sql, params);
    return rows[0] as Row | undefined; // as the statement declares them; the contract suite runs each one
  }

  async all<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Promise<Row[]> {
    return (await this.#ask(statement.sql, params)).rows as Row[]; // as above
  }

  async list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Promise<Row[]> {
    const most = LIST_SIZES.at(-1) ?? 1;
    const answers: Promise<Answer>[] = [];
    for (let from = 0; from < values.length; from += most) {
      const part = values.slice(from, from + most);
      const size = LIST_SIZES.find((candidate) => candidate >= part.length) ?? most;
      const last = part.at(-1) ?? null;
      while (part.length < size) part.push(last);
      answers.push(this.#ask(listSql(statement.sql, size, params.length), [...params, ...part]));
    }
    return (await Promise.all(answers)).flatMap(({ rows }) => rows as Row[]); // as above
  }

  async gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Promise<Row[]> {
    const rows = await Promise.all(Array.from(keys, (key) => this.get(statement, key)));
    return rows.filter((row) => row !== undefined);
  }

  async run<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Promise<number> {
    return (await this.#ask(statement.sql, params)).count;
  }

  /** One or more statements without parameters, such as those that steer the transaction; not prepared. */
  async exec(sql: string): Promise<void> {
    this.#sendGroup();
    if (BEGINS.test(sql)) this.#isInTransaction = true;
    else if (ENDS.test(sql)) this.#isInTransaction = false;
    await this.#send(() => this.#client.query(sql));
  }

  /** The transaction that the last answer left: none, open, or one that failed. */
  get transaction(): 'none' | 'open' | 'failed' {
    const status = this.#client.getTransactionStatus();
    return status === 'T' ? 'open' : status === 'E' ? 'failed' : 'none';
  }

  /** Why it is of no use any more; null while it is. */
  get lost(): ConnectionLost | null {
    return this.#lost;
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#lost) return void (await this.ended);
    await this.#client.end();
    this.#lose(new Error('closed'));
  }

  /** Ends it at once: what is under way fails. */
  destroy(reason: Error): void {
    this.#lose(reason);
  }

  async #ask(sql: string, given: readonly SqlValue[]): Promise<Answer> {
    const { name, isWrite } = prepare(sql);
    if (isWrite) this.writes += 1;
    const values = given.map(withoutNul);
    const known = this.#known.get(name);
    if (known && this.#isInTransaction)
      return this.#send(() => (this.#group ??= new PostgresGroup()).ask(known, values));
    this.#sendGroup();
    const { rows, rowCount, fields } = await this.#send(() => this.#client.query({ name, text: sql, values }));
    if (!known) this.#known.set(name, new Known(name, fields));
    return { rows, count: rowCount ?? 0 };
  }

  async #send<Sent>(query: () => Promise<Sent>): Promise<Sent> {
    if (this.#lost) throw this.#lost;
    this.#cork();
    this.pending += 1;
    if (this.#silenceMs > 0 && !this.#silence) this.#expectAnswer();
    try {
      return await query();
    } catch (error) {
      throw isLeaving(error) ? this.#lose(asError(error)) : (this.#lost ?? error);
    } finally {
      this.pending -= 1;
      this.#answers += 1;
    }
  }

  #sendGroup(): void {
    if (this.#group) this.#client.query(this.#group);
    this.#group = null;
  }

  /** What is asked in one turn goes out in one write. */
  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.#client.connection;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#sendGroup();
      stream.uncork();
    });
  }

  /** Looks once in that time whether anything was answered; not a timer for each question. */
  #expectAnswer(): void {
    const before = this.#answers;
    this.#silence = this.#clock.setTimer(() => {
      this.#silence = null;
      if (this.pending === 0) return;
      if (this.#answers === before) this.#lose(new Error('no answer'));
      else this.#expectAnswer();
    }, this.#silenceMs);
  }

  #lose(reason: Error): ConnectionLost {
    if (this.#lost) return this.#lost;
    this.#lost = asLoss(reason);
    this.#silence?.cancel();
    this.#client.connection.stream.destroy(); // Fails what is under way.
    this.#end(this.#lost);
    return this.#lost;
  }
}

/** How many statements `list` makes of so many values. */
export const statementsOf = (values: readonly SqlValue[]): number =>
  Math.ceil(values.length / (LIST_SIZES.at(-1) ?? 1));

class KeepsNothing extends Map<number, string> {
  override set(): this {
    return this;
  }
}

/** PostgreSQL refuses NUL: it becomes U+FFFD, as half a surrogate pair does on its way there. Nobody may store either. */
const withoutNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
const asLoss = (error: unknown): ConnectionLost =>
  error instanceof ConnectionLost ? error : new ConnectionLost(asError(error));

function prepare(sql: string): Prepared {
  let found = prepared.get(sql);
  if (!found) {
    found = { name: `s${prepared.size}`, isWrite: !/^\s*(select|with|explain)/i.test(sql) };
    prepared.set(sql, found);
  }
  return found;
}

/** The text with so many places in its list. */
function listSql(sql: string, size: number, offset: number): string {
  let sizes = lists.get(sql);
  if (!sizes) lists.set(sql, (sizes = new Map()));
  let text = sizes.get(size);
  if (text === undefined) {
    const places = Array.from({ length: size }, (_, at) => `$${offset + at + 1}`).join(', ');
    // A function, as `$1` in a replacement text would stand for something.
    sizes.set(size, (text = sql.replace(':list', () => places)));
  }
  return text;
}
