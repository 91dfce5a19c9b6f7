/** Maximum of the first delay; the maximum doubles with each further attempt. */
const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Maximum delay after a restart of the service: short, but spread so that clients do not all reconnect together. */
const SOON_MS = 2_000;
/** Maximum delay between attempts while there seems to be no network. */
const OFFLINE_MS = 30_000;

/**
 * Full jitter between 0 and the maximum, so that clients that lost their connections together do not return together.
 */
export const retryDelayMs = (attempt: number, random: () => number): number =>
  Math.floor(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt));

export const soonDelayMs = (random: () => number): number => Math.floor(random() * SOON_MS);
export const offlineDelayMs = (random: () => number): number => Math.floor(OFFLINE_MS * (0.5 + random() / 2));
