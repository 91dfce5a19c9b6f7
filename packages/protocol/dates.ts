// Arithmetic with dates, in milliseconds since the epoch. A clock that is set moves its dates, so nothing that lasts is
// timed with these functions: a duration comes from a monotonic clock (TIME-1), which the linter checks.

/** The date `ms` after another. */
export const dateAfter = (date: number, ms: number): number => date + ms;

/** The date `ms` before another. */
export const dateBefore = (date: number, ms: number): number => date - ms;

/** Whether a date has come. */
export const hasCome = (date: number, now: number): boolean => date <= now;

/** Milliseconds until a date; negative once it has passed. */
export const msUntil = (date: number, now: number): number => date - now;

/** Milliseconds since a date; negative if it is yet to come, for example because the clock was set back. */
export const msSince = (date: number, now: number): number => now - date;
