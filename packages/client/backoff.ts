/** The first wait is at most this, each one after it at most twice the one before. */
const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** After a service that restarts: soon, but not all clients at once. */
const SOON_MS = 2_000;
/** How far between tries are where there seems to be no network. */
const OFFLINE_MS = 30_000;

/** Full jitter: anything from nothing to the bound, so that clients that were cut off together do not come together. */
export const retryDelayMs = (attempt: number, random: () => number): number =>
  Math.floor(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt));

export const soonDelayMs = (random: () => number): number => Math.floor(random() * SOON_MS);
export const offlineDelayMs = (random: () => number): number => Math.floor(OFFLINE_MS * (0.5 + random() / 2));
