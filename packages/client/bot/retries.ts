import { ApiError, retryAfterMs } from '../api.ts';
import { retryDelayMs } from '../backoff.ts';
import type { Clock } from '../environment.ts';
import { ConnectionError } from '../requests.ts';

/** Errors of a service that is restarting or overloaded. */
export const PASSING: ReadonlySet<string> = new Set(['unavailable', 'rate_limited', 'internal']);
/** How long calls are retried: longer than a restart, and longer than the lease of a stream. */
const GIVE_UP_MS = 120_000;
const MAX_WAIT_MS = 5_000;

export interface Pace {
  clock: Clock;
  random: () => number;
}

/** `isRepeated`: an earlier attempt may have succeeded without its answer arriving. */
type RepeatableCall<Result> = (isRepeated: boolean) => Promise<Result>;

/** Retries until the service answers with success or a final error. Only for calls that are safe to repeat. */
export async function persist<Result>({ clock, random }: Pace, call: RepeatableCall<Result>): Promise<Result> {
  const giveUpAt = clock.monotonic() + GIVE_UP_MS;
  let isRepeated = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(isRepeated);
    } catch (error) {
      const isPassing = error instanceof ConnectionError || (error instanceof ApiError && PASSING.has(error.code));
      if (!isPassing || clock.monotonic() >= giveUpAt) throw error;
      // A rate-limited call was not executed.
      if (!(error instanceof ApiError && error.code === 'rate_limited')) isRepeated = true;
      const askedMs = retryAfterMs(error);
      await pause(clock, askedMs + Math.min(MAX_WAIT_MS, retryDelayMs(attempt, random)));
    }
  }
}

export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimer(resolve, ms));

/** Waits for `work`, but at most `ms`. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.setTimer(resolve, ms);
    void work.finally(() => {
      timer.cancel();
      resolve();
    });
  });
}
