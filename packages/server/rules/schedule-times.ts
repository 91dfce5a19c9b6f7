// The times of schedules, by the clocks of their zones (SCHED-2 …). Each moment is found by arithmetic on dates, so the
// time that it takes depends on how many moments are asked for, and not on the rule or the zone.
import type { ScheduleTimes } from '@parley/protocol';

/** The times of a schedule, read from its `when`. */
export type Times =
  | { readonly every: null; readonly at: number }
  | { readonly every: 'hour'; readonly minute: number; readonly zone: string }
  | (Daily & { readonly every: 'day' })
  | (Daily & { readonly every: 'week'; readonly days: ReadonlySet<number> })
  | (Daily & { readonly every: 'month'; readonly dayOfMonth: number });

interface Daily {
  readonly hour: number;
  readonly minute: number;
  readonly zone: string;
}

/** Which field of a `when` is wrong, and what about it. */
export interface WrongWhen {
  readonly field: 'at' | 'zone';
  readonly message: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Reads a `when` whose combination of fields the operation has checked. */
export function readTimes({ every, at, days, day_of_month: dayOfMonth, zone = '' }: ScheduleTimes): Times | WrongWhen {
  if (every === undefined) {
    const moment = momentOf(at ?? '');
    return moment === null
      ? { field: 'at', message: 'is not a time in ISO 8601 with a zone' }
      : { every: null, at: moment };
  }
  if (!isZone(zone)) return { field: 'zone', message: 'is not the IANA name of a time zone' };
  const clock = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at ?? (every === 'hour' ? '00:00' : '09:00'));
  if (!clock) return { field: 'at', message: 'is not a time of day, HH:MM' };
  const [hour, minute] = [Number(clock[1]), Number(clock[2])];
  if (every === 'hour') return { every, minute, zone };
  if (every === 'day') return { every, hour, minute, zone };
  if (every === 'week') return { every, hour, minute, zone, days: new Set(days) };
  return { every, hour, minute, zone, dayOfMonth: dayOfMonth ?? 1 };
}

export const isWrong = (read: Times | WrongWhen): read is WrongWhen => 'field' in read;

const moments = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since the epoch; null if there is no such moment. */
function momentOf(text: string): number | null {
  if (!moments.test(text)) return null;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null; // such as the 30th of February
  }
}

/** Whether there is a zone of this name. Offsets, which the platform takes for zones too, have no daylight saving. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+\-/]*$/.test(name)) return false;
  try {
    inZone(0, name);
    return true;
  } catch {
    return false;
  }
}

/** The first `count` moments after `after`; fewer if no more are left. */
export function timesAfter(times: Times, after: number, count: number): number[] {
  if (times.every === null) return times.at > after && count > 0 ? [times.at] : [];
  const found: number[] = [];
  for (const moment of times.every === 'hour' ? hours(times, after) : dates(times, after)) {
    // Where the clocks skip a whole day, its time and that of the next day are the same moment.
    if (moment <= (found.at(-1) ?? after)) continue;
    if (found.length === count) break;
    found.push(moment);
  }
  return found;
}

const inZone = (moment: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);

/** Whenever the clocks, as they run, show the minute: twice in an hour that comes twice (SCHED-4). */
function* hours({ minute, zone }: Extract<Times, { every: 'hour' }>, after: number): Generator<number> {
  // What the clocks show from this moment on, until they change.
  for (let from = Math.floor(after) + 1; ;) {
    const now = inZone(from, zone);
    const changes = now.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
    const shown = from + now.offsetNanoseconds / 1_000_000;
    const wait = (((minute * MINUTE_MS - shown) % HOUR_MS) + HOUR_MS) % HOUR_MS;
    for (let moment = from + wait; moment < changes; moment += HOUR_MS) yield moment;
    from = changes;
  }
}

/** The moment of the time of day, on each date that the rule names, from the day before `after`. */
function* dates(times: Exclude<Times, { every: null | 'hour' }>, after: number): Generator<number> {
  const first = inZone(after, times.zone).toPlainDate().subtract({ days: 1 });
  for (let date = nextDate(times, first); ; date = nextDate(times, date.add({ days: 1 }))) yield momentOn(date, times);
}

/** The first date of the rule from `date` on. */
function nextDate(times: Exclude<Times, { every: null | 'hour' }>, date: Temporal.PlainDate): Temporal.PlainDate {
  if (times.every === 'day') return date;
  if (times.every === 'month') {
    // `with` takes the last day of a month that lacks the day.
    const found = date.with({ day: times.dayOfMonth });
    return found.day >= date.day ? found : date.add({ months: 1 }).with({ day: times.dayOfMonth });
  }
  let found = date;
  while (!times.days.has(found.dayOfWeek)) found = found.add({ days: 1 });
  return found;
}

/** A time that comes twice is its first one; one that the clocks skip is the moment after the gap (SCHED-3). */
function momentOn(date: Temporal.PlainDate, { hour, minute, zone }: Daily): number {
  const shown = date.toPlainDateTime({ hour, minute });
  const found = shown.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (found.toPlainDateTime().equals(shown)) return found.epochMilliseconds;
  // Of a time in a gap, `earlier` is a moment before the gap.
  return found.getTimeZoneTransition('next')?.epochMilliseconds ?? found.epochMilliseconds;
}
