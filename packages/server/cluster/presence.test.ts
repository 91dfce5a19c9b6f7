import { ManualClock } from '@parley/testing';
import { describeWithRedis, startRedis } from '@parley/testing/servers/redis.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { NodeCalls } from './node-calls.ts';
import { PresenceElsewhere } from './presence.ts';
import { RedisConnection } from './redis-connection.ts';

let installations = 0;

/** Nodes with one clock, each with the sockets that the test gives it. */
function stage(url: string) {
  const prefix = `parley-${(installations += 1)}`;
  const clock = new ManualClock();
  const open = async (nodeKey: number) => {
    const connection = new RedisConnection({ url, clock: systemClock });
    const calls = new NodeCalls({ connection, prefix, nodeKey, clock });
    const sockets = new Map<number, number>();
    const opened = new Map<number, number[]>();
    const openedAt = (key: number) => opened.get(key) ?? [];
    const own = { heardAt: (key: number) => sockets.get(key) ?? null, heard: () => sockets, openedAt };
    const presence = new PresenceElsewhere({ calls, connection, clock });
    const gone: [number, number, boolean][] = [];
    const bots: number[] = [];
    presence.onGone = (...one) => gone.push(one);
    presence.onBot = (agentKey) => bots.push(agentKey);
    await connection.open();
    presence.start(own);
    const heard = (key: number, at = clock.monotonic()) => void sockets.set(key, at);
    const come = (key: number) => {
      heard(key);
      presence.came(key);
    };
    const go = (key: number, isClean = true) => {
      const heardAt = sockets.get(key) ?? 0;
      sockets.delete(key);
      presence.went(key, heardAt, isClean);
    };
    const close = () => {
      presence.close();
      connection.close();
    };
    return { connection, presence, gone, bots, opened, come, go, heard, [Symbol.dispose]: close };
  };
  return { clock, open };
}

describeWithRedis('Presence elsewhere', (redis) => {
  test('CLUSTER-23: the other nodes learn of a socket that opens on one node, and of its close', async () => {
    const { clock, open } = stage(redis().url);
    using one = await open(1);
    using two = await open(2);
    using three = await open(3);
    const start = clock.monotonic();
    one.come(7);
    one.come(8);
    two.come(8);
    await clock.advance(250);
    for (const { presence } of [two, three]) await expect.poll(() => presence.heardAt(7)).toBe(start);
    expect([one, two, three].map(({ presence }) => presence.isLive(7))).toEqual([false, true, true]);
    await expect.poll(() => one.presence.isLive(8)).toBe(true);
    one.go(7, false);
    one.go(8);
    await clock.advance(250);
    const ends = [
      [7, start, false],
      [8, start, true],
    ];
    for (const { gone } of [two, three]) await expect.poll(() => gone).toEqual(ends);
    expect([two, three].map(({ presence }) => [presence.isLive(7), presence.isLive(8)])).toEqual([
      [false, false],
      [false, true],
    ]);
    expect(one.gone).toEqual([]);
  });

  test('CLUSTER-23: signs of life reach the other nodes within 6 s; accounts of a silent node stop being live', async () => {
    const { clock, open } = stage(redis().url);
    using two = await open(2);
    const start = clock.monotonic();
    {
      using one = await open(1);
      one.come(7);
      await clock.advance(250);
      await expect.poll(() => two.presence.heardAt(7)).toBe(start);
      one.heard(7);
      await clock.advance(5_750);
      await expect.poll(() => two.presence.heardAt(7)).toBe(start + 250);
    }
    await clock.advance(72_000);
    expect([two.presence.heardAt(7), two.gone]).toEqual([start + 250, []]);
    await clock.advance(2_000);
    expect([two.presence.heardAt(7), two.gone]).toEqual([null, [[7, start + 250, false]]]);
  });

  test('SOCKET-11: the other nodes know when each socket of a node was opened, and forget it when the socket closes', async () => {
    const { clock, open } = stage(redis().url);
    using one = await open(1);
    using two = await open(2);
    const told: number[] = [];
    two.presence.onOpened = (accountKey) => told.push(accountKey);
    one.opened.set(7, [100, 200]);
    one.come(7);
    one.opened.set(8, [300]);
    one.come(8);
    await clock.advance(250);
    await expect.poll(() => two.presence.openedAt(7)).toEqual([100, 200]);
    expect(new Set(told)).toEqual(new Set([7, 8]));
    using three = await open(3);
    await expect.poll(() => three.presence.openedAt(7)).toEqual([100, 200]);
    // Signs of life do not contain these times.
    one.heard(7);
    await clock.advance(6_000);
    await expect.poll(() => two.presence.heardAt(7)).toBeGreaterThan(clock.monotonic() - 6_500);
    expect(two.presence.openedAt(7)).toEqual([100, 200]);
    one.opened.set(7, [200]);
    one.come(7);
    one.go(8);
    await clock.advance(250);
    await expect.poll(() => two.presence.openedAt(7)).toEqual([200]);
    expect(two.presence.openedAt(8)).toEqual([]);
    two.presence.forget(1);
    expect(two.presence.openedAt(7)).toEqual([]);
  });

  test('CLUSTER-23: the sockets of a dead node count as closed', async () => {
    const { clock, open } = stage(redis().url);
    using one = await open(1);
    using two = await open(2);
    const start = clock.monotonic();
    one.come(7);
    await clock.advance(250);
    await expect.poll(() => two.presence.isLive(7)).toBe(true);
    two.presence.forget(1);
    expect([two.presence.isLive(7), two.gone]).toEqual([false, [[7, start, false]]]);
  });

  test('CLUSTER-23: a node that joins or was disconnected exchanges its full state with the others', async () => {
    await using own = await startRedis();
    const { clock, open } = stage(own.url);
    using one = await open(1);
    one.come(7);
    one.come(8);
    await clock.advance(250);
    using two = await open(2);
    await expect.poll(() => [two.presence.isLive(7), two.presence.isLive(8)]).toEqual([true, true]);
    const start = clock.monotonic() - 250;
    const downs = [one, two].map(({ connection }) => new Promise<void>((resolve) => connection.onDown(resolve)));
    await own.kill();
    await Promise.all(downs);
    one.go(8);
    one.come(9);
    two.come(10);
    await clock.advance(250);
    expect(two.presence.isLive(8)).toBe(true);
    await own.restart();
    await expect.poll(() => [8, 9].map((key) => two.presence.isLive(key))).toEqual([false, true]);
    await expect.poll(() => one.presence.isLive(10)).toBe(true);
    // The close of its socket was never reported, so it does not count as clean.
    expect(two.gone).toEqual([[8, start, false]]);
  });

  test('CLUSTER-24: a bot’s calls to one node are reported to the others once a second', async () => {
    const { clock, open } = stage(redis().url);
    using one = await open(1);
    using two = await open(2);
    for (let times = 0; times < 100; times += 1) one.presence.botCalled(5);
    one.presence.botCalled(6);
    await clock.advance(1_000);
    await expect.poll(() => two.bots).toEqual([5, 6]);
    one.presence.botCalled(5);
    await clock.advance(1_000);
    await expect.poll(() => two.bots).toEqual([5, 6, 5]);
    expect(one.bots).toEqual([]);
  });
});
