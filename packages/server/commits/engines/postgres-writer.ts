import { type Clock, pause } from '../../core/clock.ts';
import { AccountMemory } from './account-memory.ts';
import type { PostgresBatch } from './postgres-batch.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Makes a suspended node lose its locks, and keeps nodes from waiting for a lock forever. */
const SESSION = "SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '8s';";
/** Acknowledged writes are durable, even if the database's default is asynchronous commit. */
const DURABLE = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') = 'off'`;
const NOT_DURABLE = 'SET synchronous_commit = off';

interface WriterNeeds {
  connect: () => Promise<PostgresConnection>;
  /** Identifies the connection among those of its node. */
  number: number;
  /** Whether its commits wait for the disk. */
  isDurable: boolean;
  clock: Clock;
  /** Called each time the connection comes up. */
  onUp: () => void;
  onFault: (error: unknown) => void;
}

/** A writer connection: it reconnects whenever it is lost. */
export class PostgresWriter {
  readonly number: number;
  isBusy = false;
  /** The running batch. */
  batch: PostgresBatch | null = null;
  /** Replaced together with the connection, because a batch that was not committed may have filled this cache. */
  memory = new AccountMemory();
  #connection: PostgresConnection | null = null;
  readonly #needs: WriterNeeds;
  readonly #closed = new AbortController();
  readonly #kept: Promise<void>;

  constructor(needs: WriterNeeds) {
    this.number = needs.number;
    this.#needs = needs;
    this.#kept = this.#keep();
  }

  /** Null while it is down. */
  get connection(): PostgresConnection | null {
    return this.#connection?.lost === null ? this.#connection : null;
  }

  get isFree(): boolean {
    return !this.isBusy && this.connection !== null;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#connection?.close();
    await this.#kept;
  }

  async #keep(): Promise<void> {
    const { connect, isDurable, clock, onUp, onFault } = this.#needs;
    const { signal } = this.#closed;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        const connection = await connect();
        await connection.exec(SESSION + (isDurable ? DURABLE : NOT_DURABLE));
        this.#connection = connection;
        this.memory = new AccountMemory();
        pauseMs = FIRST_PAUSE_MS;
        if (signal.aborted) await connection.close();
        else onUp();
        const reason = await connection.ended;
        if (!signal.aborted) onFault(reason);
      } catch (error) {
        onFault(error);
        await pause(clock, pauseMs, signal).catch(() => {});
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }
}
