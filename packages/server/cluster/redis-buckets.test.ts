import { ManualClock } from '@parley/testing';
import { passwordTriesContract } from '@parley/testing/contracts/password-tries-contract.ts';
import { rateLimitsContract } from '@parley/testing/contracts/rate-limits-contract.ts';
import { describeWithRedis, startRedis } from '@parley/testing/servers/redis.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { defaultRates, type Rates } from '../calls/rate-limits.ts';
import { RateLimits } from '../calls/rate-limits.ts';
import { RedisBuckets } from './redis-buckets.ts';
import { RedisConnection } from './redis-connection.ts';

const rates: Rates = { ...defaultRates, messages: { burst: 3, refillMs: 60_000 } };
const taking = { rate: 'messages', key: 1, count: 1 } as const;
let installations = 0;

describeWithRedis('Rate limits in Redis', (redis) => {
  let connection: RedisConnection;
  beforeAll(async () => {
    connection = new RedisConnection({ url: redis().url, clock: systemClock });
    await connection.open();
  });
  afterAll(() => connection.close());
  const open = (given: Rates) => {
    const prefix = `parley-${(installations += 1)}`;
    return new RedisBuckets({ rates: given, connection, prefix, clock: systemClock, isTimeGiven: true });
  };

  rateLimitsContract('Redis', (given) => new RateLimits(given, open(given)));
  passwordTriesContract('Redis', (given) => new RateLimits(given, open(given)));

  test('CLUSTER-25: all nodes share the buckets, by Redis’s clock, and full buckets expire', async () => {
    const nodes = [1, 2, 3].map(() => new RedisBuckets({ rates, connection, prefix: 'shared', clock: systemClock }));
    // The nodes' clocks are hours apart.
    const take = async (at: number) => nodes[at % 3]?.take([taking], at * 3_600_000);
    const waits = await Promise.all(Array.from({ length: 9 }, (_, at) => take(at)));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(3);
    expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(60_000);
    const ttlMs = Number(await connection.command('PTTL', 'shared:rate:messages:1'));
    expect(ttlMs).toBeGreaterThan(170_000);
    expect(ttlMs).toBeLessThanOrEqual(190_000);
  });

  test.each([1_500, 86_400_000])(
    'LIMIT-3, TIME-4: a clock of Redis that is set back by %d ms delays no caller for longer than one refill',
    async (stepMs) => {
      const buckets = open({ ...defaultRates, signIns: { burst: 2, refillMs: 1_000 } });
      const take = (now: number) => buckets.take([{ rate: 'signIns', key: 'a', count: 1 }], now, 'name a');
      const start = Date.UTC(2026, 0, 1);
      expect([await take(start), await take(start)]).toEqual([0, 0]);
      const back = start - stepMs;
      expect(await take(back)).toBe(1_000);
      expect(await take(back + 400)).toBe(600);
      expect(await take(back + 1_000)).toBe(0);
    },
  );

  test('CLUSTER-25: while Redis is unavailable or slow each node counts on its own; afterwards Redis is used again', async () => {
    await using own = await startRedis();
    const away = new RedisConnection({ url: own.url, clock: systemClock });
    const clock = new ManualClock();
    const faults: unknown[] = [];
    const onFault = (error: unknown) => faults.push(error);
    const buckets = new RedisBuckets({ rates, connection: away, prefix: 'parley', clock, onFault });
    const take = () => buckets.take([taking], clock.now());
    expect(await take()).toBe(0);
    await away.open();
    expect([await take(), await take(), await take()]).toEqual([0, 0, 0]);
    own.pause();
    const slow = [take(), take()];
    await clock.advance(500);
    expect(await Promise.all(slow)).toEqual([0, 0]);
    expect(faults).toHaveLength(1);
    const down = new Promise<void>((resolve) => away.onDown(resolve));
    await own.kill();
    await down;
    expect(await take()).toBeGreaterThan(0);
    const up = new Promise<void>((resolve) => away.onUp(resolve));
    await own.restart();
    await up;
    expect([await take(), await take(), await take()]).toEqual([0, 0, 0]);
    expect(await take()).toBeGreaterThan(0);
    expect(clock.pendingTimers).toBe(0);
    away.close();
  });
});
