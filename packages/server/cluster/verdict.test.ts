import { ManualClock } from '@parley/testing';
import { describeWithRedis } from '@parley/testing/servers/redis.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { NodeCalls } from './node-calls.ts';
import { RedisConnection } from './redis-connection.ts';
import { Verdict } from './verdict.ts';

let installations = 0;

describeWithRedis('whether the other nodes give this node up', (redis) => {
  test('CLUSTER-38: a node counts as given up if another node says so or none can be asked', async () => {
    const prefix = `verdict-${(installations += 1)}`;
    const clock = new ManualClock();
    const connections: RedisConnection[] = [];
    const givingUp = new Set<number>();
    const open = async (nodeKey: number): Promise<Verdict> => {
      const connection = new RedisConnection({ url: redis().url, clock: systemClock });
      connections.push(connection);
      const calls = new NodeCalls({ connection, prefix, nodeKey, clock: systemClock });
      const verdict = new Verdict({ calls, connection, clock, givesUp: () => givingUp.has(nodeKey) });
      await connection.open();
      return verdict;
    };
    const [first] = [await open(1), await open(2), await open(3)];
    // A node's own opinion of the others does not count.
    givingUp.add(1);
    const spared = first.isGivenUp();
    await clock.advance(1_000);
    expect(await spared).toBe(false);
    givingUp.add(3);
    expect(await first.isGivenUp()).toBe(true);
    givingUp.clear();
    for (const connection of connections) connection.close();
    expect(await first.isGivenUp()).toBe(true);
  });
});
