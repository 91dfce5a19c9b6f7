import { expect, test } from 'vitest';
import { isWrong, isZone, readTimes, timesAfter } from './schedule-times.ts';

type When = Parameters<typeof readTimes>[0];

/** The first times after a moment, to the minute. */
function times(when: When, after: string, count: number): string[] {
  const read = readTimes(when);
  if (isWrong(read)) throw new Error(read.message);
  return timesAfter(read, Date.parse(after), count).map((moment) => new Date(moment).toISOString().slice(0, 16));
}

test.each([
  ['Europe/Berlin', '02:30', '2027-03-26T12:00Z', ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30']],
  ['Europe/Berlin', '02:00', '2027-03-26T12:00Z', ['2027-03-27T01:00', '2027-03-28T01:00', '2027-03-29T00:00']],
  ['Europe/Berlin', '02:30', '2027-10-29T12:00Z', ['2027-10-30T00:30', '2027-10-31T00:30', '2027-11-01T01:30']],
  ['Australia/Lord_Howe', '02:15', '2027-10-01T00:00Z', ['2027-10-01T15:45', '2027-10-02T15:30', '2027-10-03T15:15']],
  ['Australia/Lord_Howe', '01:45', '2027-04-02T00:00Z', ['2027-04-02T14:45', '2027-04-03T14:45', '2027-04-04T15:15']],
  // Samoa skipped the 30th of December: its time is the beginning of the 31st.
  ['Pacific/Apia', '09:00', '2011-12-29T00:00Z', ['2011-12-29T19:00', '2011-12-30T10:00', '2011-12-30T19:00']],
  ['Pacific/Apia', '00:00', '2011-12-29T00:00Z', ['2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00']],
])('SCHED-3: %s each day at %s from %s', (zone, at, after, expected) => {
  expect(times({ every: 'day', at, zone }, after, expected.length)).toEqual(expected);
});

test.each([
  ['Europe/Berlin', '17:30', '2027-10-30T23:00Z', ['2027-10-30T23:30', '2027-10-31T00:30', '2027-10-31T01:30']],
  ['Europe/Berlin', '00:30', '2027-03-28T00:00Z', ['2027-03-28T00:30', '2027-03-28T01:30', '2027-03-28T02:30']],
  ['Australia/Lord_Howe', undefined, '2027-10-02T14:00Z', ['2027-10-02T14:30', '2027-10-02T16:00', '2027-10-02T17:00']],
  ['Australia/Lord_Howe', '00:45', '2027-04-03T14:00Z', ['2027-04-03T14:45', '2027-04-03T15:15', '2027-04-03T16:15']],
])('SCHED-4: %s each hour at %s from %s', (zone, at, after, expected) => {
  expect(times({ every: 'hour', ...(at !== undefined && { at }), zone }, after, 3)).toEqual(expected);
});

test('SCHED-2: a day that a month lacks is its last; days of the week count from Monday; 09:00 and the first are the defaults', () => {
  const monthly = (day_of_month: number) => ({ every: 'month', day_of_month, zone: 'UTC' }) as const;
  const days = (when: When, after: string, count: number) => times(when, after, count).map((time) => time.slice(5, 10));
  expect(days(monthly(31), '2027-01-01T00:00Z', 6)).toEqual(['01-31', '02-28', '03-31', '04-30', '05-31', '06-30']);
  expect(days(monthly(29), '2028-02-01T00:00Z', 2)).toEqual(['02-29', '03-29']);
  expect(days(monthly(29), '2027-02-28T10:00Z', 1)).toEqual(['03-29']);
  expect(times({ every: 'month', zone: 'UTC' }, '2027-01-01T09:00Z', 1)).toEqual(['2027-02-01T09:00']);
  const weekly = (...on: number[]) => ({ every: 'week', days: on, at: '08:15', zone: 'UTC' }) as const;
  expect(times(weekly(1), '2027-01-01T00:00Z', 2)).toEqual(['2027-01-04T08:15', '2027-01-11T08:15']);
  expect(days(weekly(5, 1, 7), '2027-01-01T00:00Z', 4)).toEqual(['01-01', '01-03', '01-04', '01-08']);
  expect(times({ at: '2027-05-01T10:00:00+02:00' }, '2027-05-01T07:59:59Z', 3)).toEqual(['2027-05-01T08:00']);
  expect(times({ at: '2027-05-01T10:00:00+02:00' }, '2027-05-01T08:00Z', 3)).toEqual([]);
});

test('SCHED-2: a zone is an IANA name, in any case; an offset is none', () => {
  for (const name of ['UTC', 'Etc/GMT+5', 'America/Port-au-Prince', 'europe/berlin', 'EST5EDT', 'Asia/Kathmandu'])
    expect(isZone(name), name).toBe(true);
  for (const name of [
    '',
    'Z',
    '+01:00',
    '-0800',
    'UTC+1',
    'Mars/Olympus',
    'Europe/Berlin ',
    '2027-01-01[Europe/Berlin]',
  ])
    expect(isZone(name), name).toBe(false);
});

test('SCHED-5: a hundred times of any rule take a few milliseconds, in any year', () => {
  const rules: When[] = [
    { every: 'month', day_of_month: 31, at: '02:30', zone: 'Europe/Berlin' },
    { every: 'week', days: [7], at: '02:30', zone: 'Australia/Lord_Howe' },
    { every: 'day', at: '00:00', zone: 'Africa/Casablanca' },
    { every: 'hour', at: '00:59', zone: 'Asia/Kathmandu' },
  ];
  for (const rule of rules)
    for (const from of ['0001-01-01T00:00Z', '1893-03-31T00:00Z', '2027-01-01T00:00Z', '9990-01-01T00:00Z']) {
      // The fastest of several, because other processes take their time too.
      const took = Array.from({ length: 5 }, () => {
        const begun = performance.now();
        expect(times(rule, from, 100)).toHaveLength(100);
        return performance.now() - begun;
      });
      expect(Math.min(...took), `${JSON.stringify(rule)} from ${from}`).toBeLessThan(50);
    }
});
