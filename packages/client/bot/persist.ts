import { ApiError } from '../api.ts';
import { retryDelayMs } from '../backoff.ts';
import type { Clock } from '../environment.ts';
import { ConnectionError } from '../requests.ts';

/** What a service answers that restarts, or has too much to do just now. */
export const PASSING: ReadonlySet<string> = new Set(['unavailable', 'rate_limited', 'internal']);
/** Longer than a restart takes, and than the service holds the lease of a stream. */
const GIVE_UP_MS = 120_000;
const MOST_WAIT_MS = 5_000;

export interface Pace {
  clock: Clock;
  random: () => number;
}

/** `isRepeated`: an earlier call may have arrived, and only its answer is missing. */
export type RepeatableCall<Result> = (isRepeated: boolean) => Promise<Result>;

/** Calls until the service says yes or no: for calls that may be repeated without harm. */
export async function persist<Result>({ clock, random }: Pace, call: RepeatableCall<Result>): Promise<Result> {
  const giveUpAt = clock.now() + GIVE_UP_MS;
  let isRepeated = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(isRepeated);
    } catch (error) {
      const isPassing = error instanceof ConnectionError || (error instanceof ApiError && PASSING.has(error.code));
      if (!isPassing || clock.now() >= giveUpAt) throw error;
      // A refusal at the door has done nothing.
      if (!(error instanceof ApiError && error.code === 'rate_limited')) isRepeated = true;
      const askedMs = error instanceof ApiError ? Number(error.parameters['retry_after'] ?? 0) * 1_000 : 0;
      await pause(clock, askedMs + Math.min(MOST_WAIT_MS, retryDelayMs(attempt, random)));
    }
  }
}

export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimer(resolve, ms));

/** Waits for it, but no longer. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.setTimer(resolve, ms);
    void work.finally(() => {
      timer.cancel();
      resolve();
    });
  });
}
