import { describeWithRedis, startRedis } from '@parley/testing/servers/redis.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { Bus } from './bus.ts';
import { RedisConnection } from './redis-connection.ts';

async function openBus(url: string, nodeKey: number, prefix = 'parley') {
  const connection = new RedisConnection({ url, clock: systemClock });
  const bus = new Bus({ connection, prefix, nodeKey });
  const heard: string[] = [];
  bus.onMessage = (text) => heard.push(text);
  await connection.open();
  return { bus, heard, [Symbol.dispose]: () => connection.close() };
}

describeWithRedis('The bus', (redis) => {
  test('CLUSTER-21: published messages reach all other nodes of the installation, in order', async () => {
    using one = await openBus(redis().url, 1);
    using two = await openBus(redis().url, 2);
    using three = await openBus(redis().url, 3);
    using stranger = await openBus(redis().url, 4, 'other');
    const texts = Array.from({ length: 5_000 }, (_, at) => `${at} läuft ${'x'.repeat(at % 300)}`);
    for (const text of texts) one.bus.publish(text);
    two.bus.publish('');
    await expect.poll(() => [two.heard.length, three.heard.length]).toEqual([5_000, 5_001]);
    expect(two.heard).toEqual(texts);
    expect(three.heard.filter((text) => text !== '')).toEqual(texts);
    expect([one.heard, stranger.heard]).toEqual([[''], []]);
  });

  test('CLUSTER-21: while Redis is unavailable messages are dropped without errors, and nodes are notified of the gap', async () => {
    await using own = await startRedis();
    using one = await openBus(own.url, 1);
    using two = await openBus(own.url, 2);
    let ups = 0;
    for (const { bus } of [one, two]) bus.onUp = () => (ups += 1);
    const downs = [one, two].map(({ bus }) => new Promise<void>((resolve) => (bus.onDown = resolve)));
    await own.kill();
    await Promise.all(downs);
    one.bus.publish('lost');
    expect([one.bus.isUp, two.bus.isUp]).toEqual([false, false]);
    await own.restart();
    await expect.poll(() => ups).toBe(2);
    one.bus.publish('heard');
    await expect.poll(() => two.heard).toEqual(['heard']);
  });
});
