import { createWorld, ManualClock } from '@parley/testing';
import { BurningReads } from '@parley/testing/stores/slow-reads.ts';
import { expect } from 'vitest';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';

const WARNING = 'a callback held the thread';

embeddedTest('reads of PostgreSQL do not hold the thread')(
  'OPS-7: an operation that held the main thread is logged at most every 10 s, and counted',
  { tags: ['long'] },
  async () => {
    const reads = new BurningReads();
    const clock = new ManualClock();
    await using world = await createWorld({ clock, wrapRead: reads.wrap });
    const { alice, bob } = await world.people('alice', 'bob');
    const chat = await world.group(alice, bob);
    const lines = () => world.logs.filter(({ msg, name }) => msg === WARNING && name === 'getChatHistory');
    await alice.api.getChatHistory({ chat_id: chat.id });
    expect(lines()).toEqual([]);
    const hold = async (times: number): Promise<void> => {
      for (let at = 0; at < times; at += 1) {
        reads.left = Infinity;
        await alice.api.getChatHistory({ chat_id: chat.id });
        reads.left = 0;
      }
    };
    await hold(2);
    expect(lines()).toMatchObject([{ thread: 'main', level: 40 }]);
    expect(lines()[0]?.['held_ms']).toBeGreaterThan(50);
    await clock.advance(10_000);
    await hold(1);
    expect(lines().slice(1)).toMatchObject([{ thread: 'main', unsaid: expect.any(Number) }]);
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    expect(metrics).toMatch(/^parley_thread_held_total\{thread="main",name="getChatHistory"\} [1-9]/m);
  },
);
