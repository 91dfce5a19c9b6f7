const DAY_MS = 86_400_000;

/** The UTC day of a moment, in days since the epoch (USAGE-8). */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** The first day of a day's UTC month. */
export function firstOfMonth(day: number): number {
  const date = new Date(day * DAY_MS);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}
