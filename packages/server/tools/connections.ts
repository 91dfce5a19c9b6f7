import type { Clock, Timer } from '../core/clock.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { McpConnection, type Target } from './mcp-connection.ts';
import { ToolFault } from './tool-fault.ts';

/** How long an unused connection is kept, with the session that its server keeps for it. */
const IDLE_MS = 60_000;
/** Maximum unused connections; the one that was used longest ago is closed first. */
const MAX_IDLE = 100;
/** How long a server may take to end a session. */
const END_MS = 5_000;
/** How long a server counts as one of the era of sessions, without being asked for the newer one. */
const OLD_MS = 10 * 60_000;
const MAX_OLD = 1_000;

interface Kept {
  connection: McpConnection;
  timer: Timer;
}

/** Connections to servers of tools, kept for a while: one for each server, credential and asker. */
export class ToolConnections {
  readonly #clock: Clock;
  readonly #fetch: Fetch;
  readonly #idle = new Map<string, Kept>();
  readonly #ending = new Set<McpConnection>();
  readonly #old = new Map<string, number>();
  #isClosed = false;

  constructor(clock: Clock, fetch: Fetch) {
    this.#clock = clock;
    this.#fetch = fetch;
  }

  /**
   * A connection for one use at a time. A kept one is not asked whether its session is still there: the use finds out.
   * `stop` ends the attempt. Rejects with a ToolFault.
   */
  async take(place: string, target: Target, stop: AbortController): Promise<McpConnection> {
    const kept = this.#idle.get(place);
    if (!kept) return this.#open(target, stop);
    this.#idle.delete(place);
    kept.timer.cancel();
    return kept.connection;
  }

  async #open(target: Target, stop: AbortController): Promise<McpConnection> {
    if ((this.#old.get(target.url) ?? 0) > this.#clock.monotonic()) {
      try {
        return await McpConnection.open(this.#fetch, target, true, stop);
      } catch (error) {
        const isAnswer = error instanceof ToolFault && ['answered', 'status', 'forgotten'].includes(error.kind);
        if (stop.signal.aborted || !isAnswer) throw error;
        // Perhaps it has learnt the newer era since then.
      }
    }
    this.#old.delete(target.url);
    const connection = await McpConnection.open(this.#fetch, target, false, stop);
    if (connection.isOld) this.#noteOld(target.url);
    return connection;
  }

  /** Keeps a connection that works for its next use. */
  give(place: string, connection: McpConnection): void {
    if (this.#isClosed || this.#idle.has(place)) return this.#close(connection);
    const timer = this.#clock.setTimer(() => {
      this.#idle.delete(place);
      this.#close(connection);
    }, IDLE_MS);
    connection.isKept = true;
    this.#idle.set(place, { connection, timer });
    const [oldest] = this.#idle;
    if (oldest && this.#idle.size > MAX_IDLE) this.#end(...oldest);
  }

  close(): void {
    this.#isClosed = true;
    for (const [place, kept] of this.#idle) this.#end(place, kept);
    for (const connection of this.#ending) connection.abandon();
  }

  /** Ends the session at the server, which may not answer. */
  #close(connection: McpConnection): void {
    if (this.#isClosed) return connection.abandon();
    this.#ending.add(connection);
    const timer = this.#clock.setTimer(() => connection.abandon(), END_MS);
    void connection.close().finally(() => {
      timer.cancel();
      this.#ending.delete(connection);
    });
  }

  #end(place: string, { connection, timer }: Kept): void {
    this.#idle.delete(place);
    timer.cancel();
    this.#close(connection);
  }

  #noteOld(url: string): void {
    const [oldest] = this.#old.keys();
    if (oldest !== undefined && this.#old.size >= MAX_OLD) this.#old.delete(oldest);
    this.#old.set(url, this.#clock.monotonic() + OLD_MS);
  }
}
