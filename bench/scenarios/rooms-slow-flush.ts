import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { median, ratio } from '../statistics.ts';
import { floodRooms, messagesPerSecond, noteRooms, serviceRooms } from './rooms-of-5.ts';
import { alternate } from './rounds.ts';

const slowFlush = new URL('../processes/slow-flush.ts', import.meta.url).href;

export const roomsSlowFlush: Scenario = {
  key: 'rooms_of_5_slow_flush',
  title: '1,000 connections in rooms of five, on this disk and on one whose flush takes 3 ms',
  async run(bench) {
    const generator = bench.generator();
    const length = { warmUpSeconds: bench.choose(2, 0.3), seconds: bench.choose(5, 1) };
    const rooms = async (group: string, env: Record<string, string> = {}) =>
      bench.attempt(group, async () => serviceRooms(await bench.freshService({ env }), generator, group));
    const quick = await rooms('this disk');
    const slow = await rooms('a slow disk', { NODE_OPTIONS: `--import=${slowFlush}` });
    const results = await alternate(bench, {
      quick: quick && (() => floodRooms(generator, quick, length)),
      slow: slow && (() => floodRooms(generator, slow, length)),
    });
    noteRooms(bench, 'this disk', results['quick'] ?? []);
    noteRooms(bench, 'a slow disk', results['slow'] ?? []);
    const [quickRate, slowRate] = ['quick', 'slow'].map((side) => median((results[side] ?? []).map(messagesPerSecond)));
    return {
      figures: { service_messages_per_s: rounded(slowRate), this_disk_messages_per_s: rounded(quickRate) },
      lines: [
        { figure: 'acknowledged, a slow disk', value: slowRate, unit: 'messages/s' },
        { figure: 'acknowledged, this disk', value: quickRate, unit: 'messages/s' },
        { figure: 'slow / this', value: ratio(slowRate, quickRate), unit: '×', target: { atLeast: 0.8 } },
      ],
    };
  },
};
