import { expect, test } from 'vitest';
import { retryAt } from './webhook-retries.ts';

const HOUR_MS = 3_600_000;

test('WEBHOOK-26: delays double from 5 seconds to 4 hours, with jitter, until three days have passed', () => {
  const delays = (random: number) =>
    [1, 2, 3, 10, 13, 40].map((attempts) => retryAt({ attempts, failingSince: 0, now: 1_000, random }));
  expect(delays(1)).toEqual([6_000, 11_000, 21_000, 2_561_000, 4 * HOUR_MS + 1_000, 4 * HOUR_MS + 1_000]);
  expect(delays(0).slice(0, 2)).toEqual([3_500, 6_000]);
  const last = { attempts: 30, failingSince: 0, random: 0 };
  expect(retryAt({ ...last, now: 72 * HOUR_MS - 1 })).not.toBeNull();
  expect(retryAt({ ...last, now: 72 * HOUR_MS })).toBeNull();
});
