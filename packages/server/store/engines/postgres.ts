import { Client } from 'pg';
import { type Clock, systemClock, type Timer } from '../../core/clock.ts';
import type { Sql, SqlValue, Statement } from '../sql.ts';
import { ConnectionLost } from './connection-lost.ts';
import { isLeaving, isReadOnly } from './postgres-errors.ts';
import { merged } from './postgres-merged.ts';
import { type Answer, PostgresGroup, PreparedStatement } from './postgres-group.ts';
import { valueTypes } from './postgres-values.ts';

// Numbers of parameters of a prepared `(:list)`; longer lists are cut into parts of the largest.
const LIST_SIZES = [1, 4, 16, 64, 256];
const CONNECT_MS = 3_000;

/**
 * Each statement is planned once, for any values. All lookups of the service have an index, and a plan made while the
 * tables are small must use it too. So PostgreSQL may only use nested loops over indexes, as SQLite does.
 */
const SETTINGS = `SET plan_cache_mode = force_generic_plan; SET jit = off; SET enable_seqscan = off;
  SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off;`;

/**
 * `takes_none` is 1 if the server takes no writes, whatever this session has set: it is a standby, or was made
 * read-only. `session` names the session; a server gives the number of an ended process again, so its start belongs to it.
 */
const ABOUT_SERVER = `SELECT CAST(pg_is_in_recovery() OR EXISTS (SELECT FROM pg_settings
  WHERE name = 'default_transaction_read_only' AND reset_val = 'on') AS INTEGER) AS takes_none,
  (SELECT concat(pid, ' ', backend_start) FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS session`;

/** The open connections by their address: if one finds that its server takes no writes any more, the others look too. */
const openByUrl = new Map<string, Set<PostgresConnection>>();

const BEGINS = /^\s*begin\b/i;
const ENDS = /^\s*(commit|rollback(?!\s+to\b))\b/i;

export interface PostgresConnectionOptions {
  url: string;
  /** Name in the server's list of connections. */
  name?: string;
  /** Whether the server refuses writes on this connection. */
  readOnly?: boolean;
  /** Further `SET …; SET …` statements, after those of all connections. */
  settings?: string;
  /** How long the server may leave a statement unanswered before the connection counts as lost; no limit if absent. */
  silenceMs?: number;
  clock?: Clock;
}

interface Prepared {
  name: string;
  isWrite: boolean;
}

/** The name of each statement's text, equal on all connections. */
const prepared = new Map<string, Prepared>();
/** Texts with a list, by the number of its parameters. */
const lists = new Map<string, Map<number, string>>();

/**
 * The PostgreSQL engine of the port: one connection. It is pipelined: callers need not wait for an answer before they
 * send the next statement, and answers arrive in the order of the statements.
 */
export class PostgresConnection implements Sql {
  /** Counts statements that wrote, so that a caller can tell whether a unit changed anything. */
  writes = 0;
  /** Number of statements without an answer. */
  pending = 0;
  /** Resolves with the reason when the connection has ended, also by `close`. */
  readonly ended: Promise<ConnectionLost>;
  readonly #client: Client;
  readonly #silenceMs: number;
  readonly #url: string;
  readonly #isReader: boolean;
  readonly #clock: Clock;
  /** The server's session behind this connection, when it was opened. */
  #session = '';
  #lost: ConnectionLost | null = null;
  #end: (reason: ConnectionLost) => void = () => {};
  #silence: Timer | null = null;
  #answers = 0;
  #isCorked = false;
  /** From sending BEGIN to sending COMMIT or ROLLBACK. */
  #isInTransaction = false;
  /** Statements of the transaction that will be sent at the end of this tick. */
  #group: PostgresGroup | null = null;
  /** Statements that this connection has prepared, by name. */
  readonly #prepared = new Map<string, PreparedStatement>();

  private constructor(options: PostgresConnectionOptions) {
    const { url, name = 'parley', silenceMs = 0, clock = systemClock, readOnly = false } = options;
    this.#url = url;
    this.#isReader = readOnly;
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

  /**
   * Rejects if the server takes no writes: reads must see what was just written, so they too go to the primary
   * (STORE-18); and if another open connection has the same session (STORE-19).
   */
  static async open(options: PostgresConnectionOptions): Promise<PostgresConnection> {
    const connection = new PostgresConnection(options);
    try {
      await connection.#client.connect();
      connection.#session = await connection.#send(() => connection.#assertPrimary());
      for (const other of openByUrl.get(options.url) ?? []) connection.#assertApartFrom(other);
      const readOnly = options.readOnly ? 'SET default_transaction_read_only = on;' : '';
      await connection.exec(SETTINGS + readOnly + (options.settings ?? ''));
    } catch (error) {
      throw connection.#lose(asError(error));
    }
    const others = openByUrl.get(options.url) ?? new Set();
    openByUrl.set(options.url, others.add(connection));
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
    return (await this.#ask(statement.sql, params)).rows as Row[]; // as the statement declares them
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
    return (await Promise.all(answers)).flatMap(({ rows }) => rows as Row[]); // as declared
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

  /** Runs one or more statements without parameters, such as BEGIN; they are not prepared. */
  async exec(sql: string): Promise<void> {
    this.#sendGroup();
    if (BEGINS.test(sql)) this.#isInTransaction = true;
    else if (ENDS.test(sql)) this.#isInTransaction = false;
    await this.#send(() => this.#client.query(sql));
  }

  /** The state of the transaction after the last answer. */
  get transaction(): 'none' | 'open' | 'failed' {
    const status = this.#client.getTransactionStatus();
    return status === 'T' ? 'open' : status === 'E' ? 'failed' : 'none';
  }

  /** Why the connection is lost; null while it works. */
  get lost(): ConnectionLost | null {
    return this.#lost;
  }

  /** Waits for pending statements. */
  async close(): Promise<void> {
    if (this.#lost) return void (await this.ended);
    await this.#client.end();
    this.#lose(new Error('closed'));
  }

  /** Closes the connection immediately: pending statements fail. */
  destroy(reason: Error): void {
    this.#lose(reason);
  }

  async #ask(sql: string, given: readonly SqlValue[]): Promise<Answer> {
    const { name, isWrite } = prepare(sql);
    if (isWrite) this.writes += 1;
    const values = given.map(withoutNul);
    const known = this.#prepared.get(name);
    if (known && this.#isInTransaction)
      return this.#send(() => (this.#group ??= new PostgresGroup()).ask(known, values));
    this.#sendGroup();
    const asked = this.#send(() => this.#client.query({ name, text: sql, values }));
    if (!known) {
      const [{ fields }, many] = await Promise.all([asked, this.#prepareMerged(sql)]);
      this.#prepared.set(name, new PreparedStatement(name, fields, many));
    }
    const { rows, rowCount } = await asked;
    return { rows, count: rowCount ?? 0 };
  }

  /** Prepares a statement's merged variant, by running it for no sets of parameters. */
  async #prepareMerged(sql: string): Promise<PreparedStatement['merged']> {
    const many = this.#isInTransaction && merged.get(sql);
    if (!many) return undefined;
    const { name } = prepare(many.sql);
    const values = many.types.map(() => '{}');
    const { fields } = await this.#send(() => this.#client.query({ name, text: many.sql, values }));
    const statement = new PreparedStatement(name, many.isNumbered ? fields.slice(0, -1) : fields);
    return { statement, types: many.types, isNumbered: many.isNumbered };
  }

  async #send<Sent>(query: () => Promise<Sent>): Promise<Sent> {
    if (this.#lost) throw this.#lost;
    this.#cork();
    this.pending += 1;
    if (this.#silenceMs > 0 && !this.#silence) this.#expectAnswer();
    try {
      return await query();
    } catch (error) {
      if (isLeaving(error)) throw this.#lose(asError(error));
      // A reader that is told to write is refused by its own session.
      if (isReadOnly(error) && !this.#isReader) throw this.#demoted(asError(error));
      throw this.#lost ?? error;
    } finally {
      this.pending -= 1;
      this.#answers += 1;
    }
  }

  /** Returns the name of the session. */
  async #assertPrimary(): Promise<string> {
    const { rows } = await this.#client.query<{ takes_none: number; session: string }>(ABOUT_SERVER);
    const [{ takes_none, session } = { takes_none: 0, session: '' }] = rows;
    if (takes_none === 1) throw new Error('the server takes no writes');
    return session;
  }

  /** A pooler that lends one session to several connections mixes up their prepared statements, settings and locks. */
  #assertApartFrom(other: PostgresConnection): void {
    if (other.#session === this.#session)
      throw new Error('a pooler in front of PostgreSQL lends one session to several connections: set its session mode');
  }

  /** The server has lost its role: so have the other connections that lead to it. */
  #demoted(reason: Error): ConnectionLost {
    const lost = this.#lose(reason);
    for (const other of openByUrl.get(this.#url) ?? []) void other.#look();
    return lost;
  }

  /** Gives the connection up if its server takes no writes any more. */
  async #look(): Promise<void> {
    if (this.#lost) return;
    try {
      await this.#send(() => this.#assertPrimary());
    } catch (error) {
      // Within a transaction that has failed, the server answers nothing else.
      if (this.transaction !== 'failed') this.#lose(asError(error));
    }
  }

  #sendGroup(): void {
    if (this.#group) this.#client.query(this.#group);
    this.#group = null;
  }

  /** Sends the statements of one tick in one write. */
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

  /** Checks after `silenceMs` whether any answer has arrived: one timer, instead of one per statement. */
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
    const others = openByUrl.get(this.#url);
    others?.delete(this);
    if (others?.size === 0) openByUrl.delete(this.#url);
    this.#client.connection.stream.destroy(); // pending statements fail
    this.#end(this.#lost);
    return this.#lost;
  }
}

/** Number of statements that `list` issues for a given number of values. */
export const statementsOf = (values: readonly SqlValue[]): number =>
  Math.ceil(values.length / (LIST_SIZES.at(-1) ?? 1));

/** Replaces NUL, which PostgreSQL refuses, by U+FFFD, as the encoding to UTF-8 does with half a surrogate pair. */
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

/** The text with `size` parameters in its list. */
function listSql(sql: string, size: number, offset: number): string {
  let sizes = lists.get(sql);
  if (!sizes) lists.set(sql, (sizes = new Map()));
  let text = sizes.get(size);
  if (text === undefined) {
    const places = Array.from({ length: size }, (_, at) => `$${offset + at + 1}`).join(', ');
    // A function, because `$1` has a special meaning in a replacement text.
    sizes.set(size, (text = sql.replace(':list', () => places)));
  }
  return text;
}
