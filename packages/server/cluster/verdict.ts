import { type Clock, pause } from '../core/clock.ts';
import type { NodeCalls } from './node-calls.ts';
import type { RedisConnection } from './redis-connection.ts';

/** How long to wait for answers; only nodes that give this node up answer. */
const ASK_MS = 1_000;

interface Options {
  calls: NodeCalls;
  connection: RedisConnection;
  clock: Clock;
  /** Whether this node currently gives up silent nodes. */
  givesUp: () => boolean;
}

/**
 * Lets a node that cannot give a sign of life ask whether any other node gives it up. If PostgreSQL is unavailable to
 * all nodes, no node gives another one up (CLUSTER-38).
 */
export class Verdict {
  readonly #options: Options;
  #heard: () => void = () => {};

  constructor(options: Options) {
    const { calls, givesUp } = options;
    this.#options = options;
    calls.serve('verdictAsked', async (_, from) => {
      if (givesUp()) calls.notify(from, 'verdict', null);
    });
    calls.serve('verdict', async () => this.#heard());
  }

  /** True if another node gives this node up, or if none can be asked. */
  async isGivenUp(): Promise<boolean> {
    const { calls, connection, clock } = this.#options;
    if (!connection.isUp) return true;
    const heard = new AbortController();
    this.#heard = () => heard.abort();
    calls.notify('all', 'verdictAsked', null);
    await pause(clock, ASK_MS, heard.signal).catch(() => {});
    return heard.signal.aborted || !connection.isUp;
  }
}
