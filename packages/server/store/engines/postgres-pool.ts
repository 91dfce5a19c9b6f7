import { type Clock, pause, systemClock } from '../../core/clock.ts';
import { unavailable } from '../../core/errors.ts';
import type { Sql, SqlValue, Statement } from '../sql.ts';
import { ConnectionLost } from './connection-lost.ts';
import { PostgresConnection, statementsOf } from './postgres.ts';

interface PostgresPoolOptions {
  url: string;
  name?: string;
  /** See PostgresConnectionOptions. */
  settings?: string;
  /** Number of connections. */
  size?: number;
  /** How long a read waits while the server cannot be reached. */
  patienceMs?: number;
  clock?: Clock;
}

const SIZE = 4;
const PATIENCE_MS = 3_000;
const SILENCE_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Reads on a few read-only connections, the least busy first. Lost connections are reopened. */
export class PostgresPool implements Sql {
  /** Number of statements executed. */
  asked = 0;
  readonly #options: PostgresPoolOptions;
  readonly #clock: Clock;
  readonly #open = new Set<PostgresConnection>();
  /** Wake the reads that wait for a connection. */
  readonly #waiting = new Set<() => void>();
  readonly #closing = new AbortController();
  /** One loop per connection, which reopens it. */
  readonly #loops: Promise<void>[] = [];

  private constructor(options: PostgresPoolOptions, first: PostgresConnection) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#loops.push(this.#keepOpen(first));
    for (let count = 1; count < (options.size ?? SIZE); count += 1) this.#loops.push(this.#keepOpen());
  }

  /** Rejects if the server cannot be reached. */
  static async open(options: PostgresPoolOptions): Promise<PostgresPool> {
    return new PostgresPool(options, await connect(options));
  }

  get<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Promise<Row | undefined> {
    return this.#read((connection) => connection.get(statement, ...params));
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Promise<Row[]> {
    return this.#read((connection) => connection.all(statement, ...params));
  }

  list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Promise<Row[]> {
    return this.#read((connection) => connection.list(statement, values, ...params), statementsOf(values));
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Promise<Row[]> {
    const asked = [...keys]; // A copy: the read may be repeated.
    return this.#read((connection) => connection.gather(statement, asked), asked.length);
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Promise<number> {
    return this.#read((connection) => connection.run(statement, ...params));
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#open.size;
  }

  /** Waits for pending statements. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const wake of this.#waiting) wake();
    await Promise.all([...this.#open].map((connection) => connection.close()));
    await Promise.all(this.#loops);
  }

  /** Runs a read, and repeats it if its connection is lost: a read changes nothing. */
  async #read<Value>(ask: (connection: PostgresConnection) => Promise<Value>, statements = 1): Promise<Value> {
    this.asked += statements;
    const until = this.#clock.monotonic() + (this.#options.patienceMs ?? PATIENCE_MS);
    for (;;) {
      const connection = this.#leastBusy() ?? (await this.#next(until));
      if (!connection) throw unavailable('the database cannot be reached');
      try {
        return await ask(connection);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        // Check the time: a server that accepts connections but does not answer would use it up on every connection.
        if (this.#clock.monotonic() >= until) throw unavailable('the database does not answer');
      }
    }
  }

  #leastBusy(): PostgresConnection | undefined {
    let found: PostgresConnection | undefined;
    for (const connection of this.#open) {
      if (!connection.lost && (!found || connection.pending < found.pending)) found = connection;
      if (found?.pending === 0) break;
    }
    return found;
  }

  /** Waits for a connection until the given time. */
  async #next(until: number): Promise<PostgresConnection | undefined> {
    while (!this.#closing.signal.aborted && this.#clock.monotonic() < until) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          timer.cancel();
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = this.#clock.setTimer(wake, until - this.#clock.monotonic());
        this.#waiting.add(wake);
      });
      const connection = this.#leastBusy();
      if (connection) return connection;
    }
    return undefined;
  }

  /** Reopens one connection whenever it is lost, until the pool is closed. */
  async #keepOpen(first?: PostgresConnection): Promise<void> {
    const { signal } = this.#closing;
    let connection = first;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      connection ??= await connect(this.#options).catch(() => undefined);
      if (!connection) {
        await pause(this.#clock, pauseMs, signal).catch(() => undefined); // rejects when the pool closes
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        continue;
      }
      pauseMs = FIRST_PAUSE_MS;
      this.#open.add(connection);
      if (signal.aborted) await connection.close();
      for (const wake of this.#waiting) wake();
      await connection.ended;
      this.#open.delete(connection);
      connection = undefined;
    }
  }
}

const connect = ({
  url,
  name = 'parley reads',
  settings = '',
  clock = systemClock,
}: PostgresPoolOptions): Promise<PostgresConnection> =>
  PostgresConnection.open({ url, name, settings, clock, readOnly: true, silenceMs: SILENCE_MS });
