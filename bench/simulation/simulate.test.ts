import { expect, test } from 'vitest';
import { designs } from './designs.ts';
import { EventQueue, poisson, randomFrom, Station } from './event-queue.ts';
import { simulate } from './simulate.ts';

const workload = { sockets: 50_000 };

test('events run in the order of their times, and those of one time in the order in which they were added', () => {
  const queue = new EventQueue();
  const ran: string[] = [];
  const note = (name: string) => () => void ran.push(name);
  for (const at of [7, 3, 9, 1, 3, 8]) queue.add(at, note(`${at}.${ran.length}`));
  queue.add(3, (now) => queue.add(now + 1, note('added')));
  queue.add(20, note('late'));
  queue.runUntil(10);
  expect(ran).toEqual(['1.0', '3.0', '3.0', 'added', '7.0', '8.0', '9.0']);
});

test('a station does one thing at a time, and waits for work', () => {
  const station = new Station();
  expect([station.take(0, 5), station.take(1, 5), station.take(20, 5)]).toEqual([5, 10, 25]);
  expect(station.busy).toBe(15);
});

test('counts have the mean that they are asked for', () => {
  const random = randomFrom(3);
  for (const mean of [0.2, 4, 200]) {
    const counts = Array.from({ length: 4_000 }, () => poisson(mean, random));
    const found = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(Math.abs(found - mean)).toBeLessThan(5 * Math.sqrt(mean / counts.length));
  }
});

test('the same seed plays the same', () => {
  const play = (seed: number) => simulate({ design: designs.interest, nodes: 5, workload, seed });
  expect(play(1)).toEqual(play(1));
  expect(play(1)).not.toEqual(play(2));
});

test('a single node hears nothing', () => {
  const { heardBy, elsewhereUs } = simulate({ design: designs.today, nodes: 1, workload });
  expect({ heardBy, elsewhereUs }).toEqual({ heardBy: 0, elsewhereUs: 0 });
});

test('on one channel each node hears each event; on a channel per conversation only the nodes of its members', () => {
  const events = 1 + 2 + 0.1 * 100;
  const one = simulate({ design: designs.today, nodes: 20, workload });
  const each = simulate({ design: designs.interest, nodes: 20, workload });
  expect(one.heardBy).toBeGreaterThan(0.8 * 19 * events);
  expect(one.ofUse).toBeLessThan(4 / 19);
  // Chance decides how many deltas fall into the simulated time.
  expect(each.heardBy).toBeLessThan(5 * events);
  expect(each.ofUse).toBe(1);
  expect(each.redisMegabytesPerSecond).toBeLessThan(one.redisMegabytesPerSecond / 2);
});

test('with fewer buckets than conversations on a node, nodes hear what is of no use to them', () => {
  const ofUse = (channels: number) =>
    simulate({ design: { ...designs.interest, channels }, nodes: 20, workload }).ofUse;
  const shares = [16, 65_536, 2 ** 24].map(ofUse);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBeGreaterThan(0.9);
});

test('conversations whose members are on one node cost the others nothing but the line', () => {
  const { heardBy } = simulate({ design: designs.interest, nodes: 20, workload: { ...workload, together: 1 } });
  expect(heardBy).toBe(0);
});

test('a row that is asked for more than it can give delays messages without end', () => {
  const costs = { rowDurable: 50_000 };
  const one = simulate({ design: designs.interest, nodes: 20, workload, costs });
  expect(one.row).toBeGreaterThan(1);
  expect(one.p99Ms).toBe(Infinity);
  const sixteen = simulate({ design: { ...designs.interest, rows: 16 }, nodes: 20, workload, costs });
  expect(sixteen.p99Ms).toBeLessThan(Infinity);
});

test('gathered lines wait for 2.5 ms on average', () => {
  const [now, later] = [designs.interest, designs.gathered].map((design) => simulate({ design, nodes: 5, workload }));
  expect((later?.p50Ms ?? 0) - (now?.p50Ms ?? 0)).toBeGreaterThan(1.5);
  expect((later?.p50Ms ?? 0) - (now?.p50Ms ?? 0)).toBeLessThan(4);
});

test('a node takes numbers for transient events alone at most once in the time for which these are gathered', () => {
  for (const sockets of [50_000, 1_000_000])
    for (const design of [designs.interest, designs.numbers, designs.blocks]) {
      const { transientBatches } = simulate({ design, nodes: 20, workload: { sockets } });
      expect(transientBatches).toBeGreaterThan(0);
      expect(transientBatches).toBeLessThanOrEqual(1e6 / design.numbersUs + 1);
    }
});
