import type { ScheduleTimes } from '@parley/protocol';

/** What the dialog has fields for. */
export interface Repeat {
  readonly every: 'hour' | 'day' | 'week' | 'month';
  readonly days: readonly number[];
  /** `HH:MM`; empty while it is being typed. */
  readonly time: string;
  readonly minute: number;
  readonly dayOfMonth: number;
  readonly zone: string;
}

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zones of the world, that of the device first. */
export const zones: readonly string[] = [
  own,
  ...['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone) => zone !== own),
];

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/** The times that the fields say; null while they say none. */
export function timesOf({ every, days, time, minute, dayOfMonth, zone }: Repeat): ScheduleTimes | null {
  if (every === 'hour')
    return isWithin(minute, 0, 59) ? { every, at: `00:${String(minute).padStart(2, '0')}`, zone } : null;
  if (time === '') return null;
  // Some browsers add the seconds.
  const at = time.slice(0, 5);
  if (every === 'day') return { every, at, zone };
  if (every === 'month') return isWithin(dayOfMonth, 1, 31) ? { every, at, zone, day_of_month: dayOfMonth } : null;
  return days.length > 0 ? { every, at, zone, days: days.toSorted((one, other) => one - other) } : null;
}
