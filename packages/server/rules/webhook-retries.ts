const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 4 * 3_600_000;
/** How long a receiver may fail before its subscription is disabled. */
const PATIENCE_MS = 3 * 86_400_000;

interface Failing {
  /** Failed attempts so far, this one included. */
  attempts: number;
  failingSince: number;
  now: number;
  /** From 0 to 1. */
  random: number;
}

/** How long a delivery waits after failed attempts: twice as long each time, with jitter between half and all of it. */
export const retryDelay = ({ attempts, random }: Pick<Failing, 'attempts' | 'random'>): number =>
  Math.round(longestDelay(attempts) * (0.5 + random / 2));

const longestDelay = (attempts: number): number => Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS);

/**
 * Whether the next attempt is due. A date that is further ahead than any delay shows that the clock was set back since
 * it was stored: then the attempt is due too (TIME-3).
 */
export const isRetryDue = ({ nextAt, attempts, now }: { nextAt: number; attempts: number; now: number }): boolean =>
  nextAt <= now || nextAt - now > longestDelay(attempts);

/** When a delivery that failed is tried again. Null after three days: the subscription is disabled (WEBHOOK-26). */
export function retryAt({ attempts, failingSince, now, random }: Failing): number | null {
  if (now - failingSince >= PATIENCE_MS) return null;
  return now + retryDelay({ attempts, random });
}
