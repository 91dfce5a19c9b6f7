import { type Clock, pause } from '../core/clock.ts';
import type { Calls } from './calls.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Whoever gives others up says so within this time, or is not there. */
const ASK_MS = 1_000;

interface Options {
  calls: Calls;
  connection: RedisConnection;
  clock: Clock;
  /** True while this node gives up whoever is silent. */
  givesUp: () => boolean;
}

/**
 * What a node asks that gives no sign of life any more: does any other give it up? Where PostgreSQL is away for all
 * nobody does (CLUSTER-38).
 */
export class Verdict {
  readonly #options: Options;
  #heard: () => void = () => {};

  constructor(options: Options) {
    const { calls, givesUp } = options;
    this.#options = options;
    calls.serve('verdictAsked', async (_, from) => {
      if (givesUp()) calls.tell(from, 'verdict', null);
    });
    calls.serve('verdict', async () => this.#heard());
  }

  /** True where one says so, and where nobody can be asked. */
  async isGivenUp(): Promise<boolean> {
    const { calls, connection, clock } = this.#options;
    if (!connection.isUp) return true;
    const heard = new AbortController();
    this.#heard = () => heard.abort();
    calls.tell('all', 'verdictAsked', null);
    await pause(clock, ASK_MS, heard.signal).catch(() => {});
    return heard.signal.aborted || !connection.isUp;
  }
}
