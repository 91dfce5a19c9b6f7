import type { TokenUsage } from '@parley/protocol';
import { deferred } from '../deferred.ts';
import type { Clock } from '../environment.ts';

type Used = TokenUsage | undefined;

/** The tokens that an answer cost: a value, a promise, or a function that is called when the answer ends. */
export type UsageSource = Used | PromiseLike<Used> | (() => Used | PromiseLike<Used>);

/** How long an answer waits for its usage: some model clients never settle the promise of a stream that was cut off. */
const USAGE_MS = 5_000;

/** A promise that rejects while the answer still streams must not end the process: `usageOf` reports it later. */
export function expectUsage(source: UsageSource): void {
  if (typeof source === 'object' && 'then' in source) source.then(undefined, () => {});
}

/** Throws what the source throws, and a TimeoutError after USAGE_MS. */
async function usageOf(source: UsageSource, clock: Clock): Promise<Used> {
  const { promise, resolve, reject } = deferred<Used>();
  const timer = clock.setTimer(
    () => reject(new DOMException('the usage of the answer was not known in time', 'TimeoutError')),
    USAGE_MS,
  );
  try {
    resolve(typeof source === 'function' ? source() : source);
    return await promise;
  } finally {
    timer.cancel();
  }
}

/** The usage, or the error that prevented it. */
export async function settleUsage(
  source: UsageSource,
  clock: Clock,
): Promise<{ used?: Used; fault?: { error: unknown } }> {
  try {
    return { used: await usageOf(source, clock) };
  } catch (error) {
    return { fault: { error } };
  }
}
