import { describeWithRedis, startRedis } from '@parley/testing/servers/redis.ts';
import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { conflict } from '../core/errors.ts';
import { NodeCalls } from './node-calls.ts';
import { RedisConnection } from './redis-connection.ts';

async function openCalls(url: string, nodeKey: number, prefix = 'parley', settledMs?: number) {
  const connection = new RedisConnection({ url, clock: systemClock });
  const clock = new ManualClock();
  const faults: unknown[] = [];
  const calls = new NodeCalls({
    connection,
    prefix,
    nodeKey,
    clock,
    ...(settledMs !== undefined && { settledMs }),
    onFault: (error) => faults.push(error),
  });
  await connection.open();
  return { calls, clock, connection, faults, [Symbol.dispose]: () => connection.close() };
}

describeWithRedis('Calls between nodes', (redis) => {
  test('CLUSTER-22: only the node that a call is addressed to answers it', async () => {
    using one = await openCalls(redis().url, 1);
    using two = await openCalls(redis().url, 2);
    using three = await openCalls(redis().url, 3);
    for (const { calls } of [two, three]) calls.serve('echo', async (input, from) => ({ input, from }));
    three.calls.serve('nothing', async () => undefined);
    const input = { text: 'ä', list: [1, null], deep: { a: true } };
    expect(await one.calls.ask(2, 'echo', input)).toEqual({ input, from: 1 });
    expect(await two.calls.ask(2, 'echo', 'oneself')).toEqual({ input: 'oneself', from: 2 });
    expect(await one.calls.ask(3, 'nothing', undefined)).toBeUndefined();
    await expect(one.calls.ask(2, 'nothing', null)).rejects.toMatchObject({ code: 'unavailable' });
    expect(one.clock.pendingTimers).toBe(0);
  });

  test('CLUSTER-50: nodes that do not listen to Redis are found once Redis has been up for a while', async () => {
    using one = await openCalls(redis().url, 1, 'listening', 0);
    using two = await openCalls(redis().url, 2, 'listening', 0);
    expect(await one.calls.notListening([1, 2, 3])).toEqual([3]);
    two.connection.close();
    await expect.poll(() => one.calls.notListening([1, 2, 3])).toEqual([2, 3]);
    using cautious = await openCalls(redis().url, 4, 'listening', 1_000_000_000);
    expect(await cautious.calls.notListening([3])).toEqual([]);
    one.connection.close();
    expect(await one.calls.notListening([3])).toEqual([]);
  });

  test('CLUSTER-22: a ServiceError reaches the caller as it was thrown; any other error is hidden', async () => {
    using one = await openCalls(redis().url, 1);
    using two = await openCalls(redis().url, 2);
    two.calls.serve('append', async () => Promise.reject(conflict('the offset is another', { offset: 7 })));
    two.calls.serve('fail', async () => Promise.reject(new Error('a secret')));
    two.calls.serve('circle', async () => {
      const circle: Record<string, unknown> = {};
      return (circle['itself'] = circle);
    });
    const expected = { code: 'conflict', message: 'the offset is another', parameters: { offset: 7 } };
    await expect(one.calls.ask(2, 'append', {})).rejects.toMatchObject(expected);
    for (const name of ['fail', 'circle']) {
      const refused = one.calls.ask(2, name, {});
      await expect(refused).rejects.toMatchObject({ code: 'internal' });
      await expect(refused).rejects.not.toThrow('secret');
    }
    expect(two.faults).toHaveLength(2);
  });

  test('CLUSTER-22: calls from one node to another begin in order', async () => {
    using one = await openCalls(redis().url, 1);
    using two = await openCalls(redis().url, 2);
    const begun: unknown[] = [];
    two.calls.serve('step', async (input) => begun.push(input));
    const steps = Array.from({ length: 1_000 }, (_, at) => at);
    await Promise.all(
      steps.map(async (at) => (at % 3 === 0 ? one.calls.notify(2, 'step', at) : one.calls.ask(2, 'step', at))),
    );
    expect(begun).toEqual(steps);
  });

  test('CLUSTER-22: a message to all reaches all other nodes of the installation', async () => {
    using one = await openCalls(redis().url, 1);
    using two = await openCalls(redis().url, 2);
    using three = await openCalls(redis().url, 3);
    using stranger = await openCalls(redis().url, 2, 'other');
    const heard: unknown[] = [];
    for (const [at, { calls }] of [one, two, three, stranger].entries())
      calls.serve('news', async (input, from) => heard.push([at, input, from]));
    one.calls.notify('all', 'news', 'x');
    await expect.poll(() => heard.length).toBe(2);
    expect(heard).toEqual(
      expect.arrayContaining([
        [1, 'x', 1],
        [2, 'x', 1],
      ]),
    );
  });

  test('CLUSTER-22: a call to a dead node fails immediately; one without an answer fails after 5 s, and a late answer is ignored', async () => {
    using one = await openCalls(redis().url, 1);
    using two = await openCalls(redis().url, 2);
    await expect(one.calls.ask(9, 'echo', {})).rejects.toMatchObject({ code: 'unavailable' });
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<string>();
    let times = 0;
    two.calls.serve('slow', () => {
      times += 1;
      begun.resolve();
      return end.promise;
    });
    two.calls.serve('echo', async (input) => input);
    const slow = one.calls.ask(2, 'slow', {});
    await begun.promise;
    await Promise.all([expect(slow).rejects.toMatchObject({ code: 'unavailable' }), one.clock.advance(5_000)]);
    end.resolve('late');
    expect(await one.calls.ask(2, 'echo', 'next')).toBe('next');
    expect(times).toBe(1);
  });

  test('CLUSTER-22: a stopping node refuses calls immediately', async () => {
    using one = await openCalls(redis().url, 1);
    using two = await openCalls(redis().url, 2);
    const begun: string[] = [];
    two.calls.serve('echo', async (input) => begun.push(String(input)));
    two.calls.close();
    one.calls.notify(2, 'echo', 'told');
    await expect(one.calls.ask(2, 'echo', 'asked')).rejects.toMatchObject({ code: 'unavailable' });
    expect([begun, one.clock.pendingTimers]).toEqual([[], 0]);
  });

  test('CLUSTER-22: while Redis is unavailable calls fail immediately, also those in flight', async () => {
    await using own = await startRedis();
    using one = await openCalls(own.url, 1);
    using two = await openCalls(own.url, 2);
    const begun = Promise.withResolvers<void>();
    two.calls.serve('never', () => {
      begun.resolve();
      return new Promise(() => {});
    });
    const waiting = Promise.allSettled([one.calls.ask(2, 'never', {})]);
    await begun.promise;
    await own.kill();
    expect(await waiting).toMatchObject([{ reason: { code: 'unavailable' } }]);
    await expect(one.calls.ask(2, 'never', {})).rejects.toMatchObject({ code: 'unavailable' });
    one.calls.notify('all', 'never', {});
    expect(one.clock.pendingTimers).toBe(0);
  });

  test('CLUSTER-22: the number of calls in flight is limited, and they fail when the service stops', async () => {
    using one = await openCalls(redis().url, 1);
    using two = await openCalls(redis().url, 2);
    two.calls.serve('never', () => new Promise(() => {}));
    const codes: unknown[] = [];
    const asks = Array.from({ length: 2_001 }, () =>
      one.calls.ask(2, 'never', {}).catch((error: unknown) => codes.push(error)),
    );
    await expect.poll(() => codes.length).toBe(1);
    expect(codes[0]).toMatchObject({ code: 'unavailable' });
    one.calls.close();
    await Promise.all(asks);
    await expect(one.calls.ask(2, 'never', {})).rejects.toMatchObject({ code: 'unavailable' });
    expect([one.clock.pendingTimers, codes.length]).toEqual([0, 2_001]);
  });
});
