import { ManualClock } from '@parley/testing';
import { describeWithRedis, startRedis } from '@parley/testing/servers/redis.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { RedisConnection } from './redis-connection.ts';

const change = (connection: RedisConnection) => ({
  up: new Promise<void>((resolve) => connection.onUp(resolve)),
  down: new Promise<void>((resolve) => connection.onDown(resolve)),
});
const nextUp = (connection: RedisConnection) => change(connection).up;
const nextDown = (connection: RedisConnection) => change(connection).down;
const refusal = { code: 'unavailable' };

describeWithRedis('The connection to Redis', (redis) => {
  test('CLUSTER-20: commands fail immediately before it is opened and after it is closed', async () => {
    const connection = new RedisConnection({ url: redis().url, clock: systemClock });
    await expect(connection.command('PING')).rejects.toMatchObject(refusal);
    await connection.open();
    expect(connection.isUp).toBe(true);
    expect(await connection.command('PING')).toBe('PONG');
    await expect(connection.command('NO-SUCH')).rejects.toThrow('unknown command');
    const late = connection.command('PING');
    connection.close();
    await expect(late).rejects.toMatchObject(refusal);
    await expect(connection.command('PING')).rejects.toMatchObject(refusal);
    expect(connection.isUp).toBe(false);
  });

  test('CLUSTER-20: a listener that Redis disconnects for reading too slowly is notified of the gap', async () => {
    const connection = new RedisConnection({ url: redis().url, clock: systemClock });
    const heard: string[] = [];
    connection.listen('a', (bytes) => heard.push(String(bytes)));
    await connection.open();
    const down = nextDown(connection);
    const up = nextUp(connection);
    await Promise.allSettled([connection.command('CLIENT', 'KILL', 'TYPE', 'pubsub'), down]);
    await up;
    expect(await connection.command('PUBLISH', 'a', 'again')).toBe(1);
    await expect.poll(() => heard).toEqual(['again']);
    connection.close();
  });

  test('CLUSTER-20: the bytes waiting to be sent are limited', async () => {
    await using own = await startRedis();
    const faults: string[] = [];
    const onFault = (error: unknown) => faults.push(String(error));
    const connection = new RedisConnection({ url: own.url, clock: systemClock, onFault });
    await connection.open();
    own.pause();
    const megabyte = 'x'.repeat(2 ** 20);
    const outcomes = await Promise.allSettled(Array.from({ length: 70 }, () => connection.command('ECHO', megabyte)));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(faults[0]).toContain('does not keep up');
    connection.close();
  });

  test('CLUSTER-20: a killed Redis is unavailable until it is back', async () => {
    await using own = await startRedis();
    const connection = new RedisConnection({ url: own.url, clock: systemClock });
    await connection.open();
    const down = nextDown(connection);
    await own.kill();
    await down;
    await expect(connection.command('PING')).rejects.toMatchObject(refusal);
    const up = nextUp(connection);
    await own.restart();
    await up;
    expect(await connection.command('PING')).toBe('PONG');
    connection.close();
  });

  test('CLUSTER-20: a Redis that does not answer is unavailable, and the start does not wait for it', async () => {
    await using own = await startRedis();
    const clock = new ManualClock();
    const connection = new RedisConnection({ url: own.url, clock });
    await connection.open();
    const down = nextDown(connection);
    own.pause();
    const waiting = Promise.allSettled([connection.command('PING')]);
    await clock.advance(3_000);
    expect(connection.isUp).toBe(true);
    await clock.advance(1_000);
    await down;
    expect(await waiting).toMatchObject([{ reason: refusal }]);
    connection.close();
    const other = new RedisConnection({ url: own.url, clock });
    const opened = other.open();
    await clock.advance(3_000);
    await opened;
    expect(other.isUp).toBe(false);
    const up = nextUp(other);
    own.resume();
    await clock.advance(50);
    await up;
    other.close();
    expect(clock.pendingTimers).toBe(0);
  });
});
