// The times of schedules beside those of `croner`, which was written independently, around every change of clocks from
// 2025 to 2030, in all zones. Where the two mean something else:
//
// - A day that a month lacks: croner leaves the month out, SCHED-2 takes its last day. Compared are days that each month
//   has, and the last one (`L`).
// - A time in a gap that ends at midnight (Greenland): croner leaves it out on that day, because the first moment after
//   the gap is on the next date. SCHED-3 takes that moment.
import { Cron } from 'croner';
import { expect, test } from 'vitest';
import { isWrong, readTimes, timesAfter } from './schedule-times.ts';

type When = Parameters<typeof readTimes>[0];

const HOUR_MS = 3_600_000;
const first = Temporal.Instant.from('2025-01-01T00:00Z');
const last = Date.UTC(2031, 0, 1);

function changesOf(zone: string): Temporal.ZonedDateTime[] {
  const found: Temporal.ZonedDateTime[] = [];
  let next = first.toZonedDateTimeISO(zone).getTimeZoneTransition('next');
  for (; next && next.epochMilliseconds < last; next = next.getTimeZoneTransition('next')) found.push(next);
  return found;
}

const ours = (when: When, after: number, count: number): number[] => {
  const times = readTimes(when);
  return isWrong(times) ? expect.fail(times.message) : timesAfter(times, after, count);
};
const theirs = (pattern: string, timezone: string, after: number, count: number): number[] =>
  new Cron(pattern, { timezone, paused: true }).nextRuns(count, new Date(after)).map((date) => date.getTime());

interface Compared {
  readonly when: When;
  readonly pattern: string;
  readonly hoursBefore: number;
  readonly count: number;
}

const two = (number: number): string => String(number).padStart(2, '0');
const daily = (time: Temporal.PlainDateTime, zone: string): Compared => ({
  when: { every: 'day', at: `${two(time.hour)}:${two(time.minute)}`, zone },
  pattern: `${time.minute} ${time.hour} * * *`,
  hoursBefore: 49,
  count: 5,
});

/** The skipped or repeated times, and times beside them. */
const around = (change: Temporal.ZonedDateTime, minutes: readonly number[]): Temporal.PlainDateTime[] =>
  minutes.map((added) => change.toPlainDateTime().add({ minutes: added }));

/** Rules whose times are around a change: those of the first zone that changes so. */
function everyRule(change: Temporal.ZonedDateTime, zone: string): Compared[] {
  const { hour, minute, dayOfWeek: day, day: date } = change;
  const at = `${two(hour)}:${two(minute)}`;
  const days = [day, (day % 7) + 1];
  return [
    ...around(change, [-90, -60, -30, -15, 0, 15, 30, 45, 60, 90]).map((time) => daily(time, zone)),
    ...[0, 15, 30, 59].map((past): Compared => ({
      when: { every: 'hour', at: `17:${two(past)}`, zone },
      pattern: `${past} * * * *`,
      hoursBefore: 4,
      count: 9,
    })),
    {
      when: { every: 'week', days, at, zone },
      pattern: `${minute} ${hour} * * ${days.join()}`,
      hoursBefore: 49,
      count: 4,
    },
    ...[Math.min(date, 28), 31].map((of): Compared => ({
      when: { every: 'month', day_of_month: of, at, zone },
      pattern: `${minute} ${hour} ${of === 31 ? 'L' : of} * *`,
      hoursBefore: 49,
      count: 3,
    })),
  ];
}

/** Whether the clocks skip the last time of a day, so that the moment after the gap is on the next date. */
function endsAtMidnight(change: Temporal.ZonedDateTime): boolean {
  const before = change.subtract({ nanoseconds: 1 });
  return change.hour === 0 && change.minute === 0 && change.offsetNanoseconds > before.offsetNanoseconds;
}

test('SCHED-3, SCHED-4: croner finds the same times around every change of clocks from 2025 to 2030, in all zones', () => {
  const differing: string[] = [];
  const alike = new Set<string>();
  let [compared, leftOut] = [0, 0];
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const changes = changesOf(zone);
    const rule = changes.map(({ epochMilliseconds, offset }) => `${epochMilliseconds}${offset}`).join();
    const isFirst = !alike.has(rule);
    alike.add(rule);
    for (const change of changes) {
      if (endsAtMidnight(change)) {
        leftOut += 1;
        continue;
      }
      const rules = isFirst ? everyRule(change, zone) : around(change, [-30, 0]).map((time) => daily(time, zone));
      for (const { when, pattern, hoursBefore, count } of rules) {
        const after = change.epochMilliseconds - hoursBefore * HOUR_MS;
        const [one, other] = [ours(when, after, count), theirs(pattern, zone, after, count)];
        compared += 1;
        if (one.join() !== other.join())
          differing.push(`${pattern} at ${change.toString()}: ${one.join()} and ${other.join()}`);
      }
    }
  }
  expect(differing).toEqual([]);
  expect(compared).toBeGreaterThan(4_000);
  expect(leftOut).toBeLessThan(20);
});

test('SCHED-3: in a gap that ends at midnight a time is the first moment of the next date', () => {
  const when = { every: 'day', at: '23:30', zone: 'America/Nuuk' } as const;
  expect(ours(when, Date.parse('2027-03-27T12:00Z'), 2)).toEqual(
    ['2027-03-28T01:00Z', '2027-03-29T00:30Z'].map((at) => Date.parse(at)),
  );
});
