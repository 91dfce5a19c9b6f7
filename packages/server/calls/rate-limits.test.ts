import { passwordTriesContract } from '@parley/testing/contracts/password-tries-contract.ts';
import { rateLimitsContract } from '@parley/testing/contracts/rate-limits-contract.ts';
import { expect, test } from 'vitest';
import { Buckets } from './rate-buckets.ts';
import { addressBlock, RateLimits } from './rate-limits.ts';

const START = Date.UTC(2026, 0, 1);

rateLimitsContract('The memory of one process', (rates) => new RateLimits(rates));
passwordTriesContract('The memory of one process', (rates) => new RateLimits(rates));

test('LIMIT-3: a bucket that is full again is dropped', () => {
  const buckets = new Buckets<number>({ burst: 2, refillMs: 1_000 });
  for (let at = 0; at < 1_000; at += 1) buckets.take(at, START + at * 100);
  expect(buckets.size).toBeLessThanOrEqual(42);
});

test('LIMIT-3: the number of buckets kept is limited, however many keys there are', () => {
  const buckets = new Buckets<number>({ burst: 2, refillMs: 1_000 });
  for (let key = 0; key < 350_000; key += 1) buckets.take(key, START);
  expect(buckets.size).toBeLessThanOrEqual(200_000);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::5:6', '2001:db8:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['', ''],
])('LIMIT-2: the address %s is counted as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
