const MINUTE_MS = 60_000;

/** When a status can end, as the form offers it; `chosen` is a time that the user enters. */
export const statusEnds = ['never', 'half_hour', 'hour', 'today', 'week', 'chosen'] as const;
export type StatusEnd = (typeof statusEnds)[number];

/** The time of an end in milliseconds; null if there is none. `firstDay` is the first day of a week: 1 is Monday, 7 Sunday. */
export function endTime(end: Exclude<StatusEnd, 'chosen'>, now: Date, firstDay = 1): number | null {
  switch (end) {
    case 'never':
      return null;
    case 'half_hour':
      return now.getTime() + 30 * MINUTE_MS;
    case 'hour':
      return now.getTime() + 60 * MINUTE_MS;
    case 'today':
      return dayFrom(now, 1);
    case 'week':
      return dayFrom(now, ((firstDay - now.getDay() + 6) % 7) + 1);
    default:
      return end satisfies never;
  }
}

/** Start of the local day `days` after `now`; days differ in length. */
const dayFrom = (now: Date, days: number): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
