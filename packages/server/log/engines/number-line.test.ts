import { runsOf } from '@parley/testing/depth.ts';
import { ManualClock } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberLine } from './number-line.ts';

function lineAt(position: number, fill?: (after: number, through: number) => Promise<number>) {
  const clock = new ManualClock();
  const turns: string[] = [];
  const faults: unknown[] = [];
  const line = new NumberLine(position, {
    clock,
    patienceMs: 100,
    fill: async (after, through, isDue) => {
      const reached = fill ? await fill(after, through) : through;
      if (isDue()) turns.push(`store ${after + 1}-${reached}`);
      return reached;
    },
    onFault: (error) => faults.push(error),
  });
  const offer = (first: number, last = first, isOwn = false): void =>
    line.offer({
      first,
      last,
      isOwn,
      apply: () => turns.push(`${first}-${last}`),
      passed: () => turns.push(`passed ${first}-${last}`),
    });
  return { line, clock, turns, faults, offer };
}

test('CLUSTER-1: batches are applied in the order of their numbers, in whatever order they arrive', async () => {
  const holds = fc.asyncProperty(
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
    fc.infiniteStream(fc.nat()),
    async (sizes, random) => {
      const { line, turns, offer } = lineAt(100);
      let next = 101;
      const batches = sizes.map((size) => {
        const batch = [next, next + size - 1] as const;
        next += size;
        return batch;
      });
      const expected = batches.map(([first, last]) => `${first}-${last}`);
      const left = [...batches];
      for (const at of random) {
        const [batch] = left.splice(at % left.length, 1);
        if (batch) offer(...batch);
        if (left.length === 0) break;
      }
      expect(turns).toEqual(expected);
      expect([line.position, line.isBehind]).toEqual([next - 1, false]);
    },
  );
  await fc.assert(holds, { numRuns: runsOf(50) });
});

test('CLUSTER-2: numbers that do not arrive in time are read from the store as soon as the time is over', async () => {
  const { line, clock, turns, offer } = lineAt(0);
  offer(5, 6);
  await clock.advance(99);
  expect(turns).toEqual([]);
  await clock.advance(1);
  expect(turns).toEqual(['store 1-4', '5-6']);
  expect(line.position).toBe(6);
  // The missing batch arrives late.
  offer(1, 4);
  expect(turns.at(-1)).toBe('passed 1-4');
  expect(clock.pendingTimers).toBe(0);
});

test('CLUSTER-2: a batch that arrives while the store is read is applied instead of its stored rows', async () => {
  const reading = Promise.withResolvers<number>();
  const { line, clock, turns, offer } = lineAt(0, () => reading.promise);
  offer(3);
  await clock.advance(100);
  offer(1);
  expect(turns).toEqual(['1-1']);
  offer(2);
  expect(turns).toEqual(['1-1', '2-2', '3-3']);
  reading.resolve(2);
  await turnOfLoop();
  expect([turns.length, line.position]).toEqual([3, 3]);
});

test('CLUSTER-2: a failed read of the store is retried, and callers of `reach` keep waiting', async () => {
  let isBroken = true;
  const { line, clock, turns, faults } = lineAt(7, async (_, through) => {
    if (isBroken) throw new Error('away');
    return through;
  });
  let isThere = false;
  void line.reach(9)?.then(() => (isThere = true));
  await clock.advance(100);
  expect([faults.length, isThere]).toEqual([1, false]);
  isBroken = false;
  await clock.advance(250);
  await turnOfLoop();
  expect([turns, isThere]).toEqual([['store 8-9'], true]);
});

test('CLUSTER-2: the store is read in parts; a batch that overlaps numbers already read is not applied', async () => {
  const { line, clock, turns, offer } = lineAt(0, async (after, through) => Math.min(after + 3, through));
  line.expect(8);
  await clock.advance(100);
  expect(turns).toEqual(['store 1-3']);
  offer(2, 5);
  await clock.advance(100);
  await clock.advance(100);
  expect(turns).toEqual(['store 1-3', 'passed 2-5', 'store 4-6', 'store 7-8']);
  expect(line.position).toBe(8);
});

test('CLUSTER-1: a batch that throws counts as applied', () => {
  const { line, turns, faults, offer } = lineAt(0);
  offer(2);
  line.offer({
    first: 1,
    last: 1,
    isOwn: false,
    passed: () => {},
    apply: () => {
      throw new Error('broken');
    },
  });
  expect([turns, faults.length, line.position]).toEqual([['2-2'], 1, 2]);
});

test('CLUSTER-1: `reach` rejects after its time limit if the number cannot be read', async () => {
  const { line, clock, faults } = lineAt(0, () => Promise.reject(new Error('away')));
  const waiting = Promise.resolve(line.reach(1));
  await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'unavailable' }), clock.advance(5_000)]);
  expect(faults.length).toBeGreaterThan(1);
  line.close();
  expect(clock.pendingTimers).toBe(0);
});

test('CLUSTER-2: while a number is missing, only other nodes’ waiting batches are limited', async () => {
  const { line, clock, turns, offer } = lineAt(0);
  for (let seq = 2; seq < 8_000; seq += 1) offer(seq);
  offer(8_000, 8_000, true);
  await clock.advance(100);
  expect(turns.slice(0, 2)).toEqual(['store 1-1', '2-2']);
  expect(line.position).toBe(5_001);
  await clock.advance(100);
  expect(turns.slice(-2)).toEqual(['store 5002-7999', '8000-8000']);
});
