import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PacedSlot, PacedSlots, UNHURRIED_BYTES_PER_S } from './paced-slots.ts';

const SECOND = 1_000;

function start(perOwner: number, inAll: number) {
  let time = 0;
  const ended: number[] = [];
  const slots = new PacedSlots({ perOwner, inAll, monotonic: () => time });
  /** Takes a slot that may be taken away, or fails. */
  const take = (owner: number): PacedSlot => {
    const slot = slots.take(owner);
    if (typeof slot === 'string') throw new Error(slot);
    slot.giveUp = () => void ended.push(owner);
    return slot;
  };
  return { slots, ended, take, pass: (ms: number) => void (time += ms) };
}

test('FILE-31: owners that hold all slots give way to newcomers, who get as many', () => {
  const { slots, ended, take } = start(4, 64);
  for (let owner = 0; owner < 16; owner += 1) for (let at = 0; at < 4; at += 1) take(owner);
  for (const newcomer of [100, 101, 102, 103]) take(newcomer);
  expect([slots.count, ended]).toEqual([64, [0, 1, 2, 3]]);
  for (let at = 0; at < 2; at += 1) take(100);
  expect(ended).toHaveLength(6);
  // Nobody holds two more than these: a slot would only change hands.
  expect([slots.take(100), slots.take(0)]).toEqual(['full', 'full']);
});

test('FILE-31: many owners with one slow upload each give way too, the slowest first; fast ones do not', () => {
  const { slots, ended, take, pass } = start(4, 3);
  const [slow, slower, fast] = [take(1), take(2), take(3)];
  // All are new.
  expect(slots.take(4)).toBe('full');
  for (let seconds = 0; seconds < 5; seconds += 1) {
    pass(SECOND);
    slow?.note(9_000);
    slower?.note(8_500);
    fast?.note(2 * UNHURRIED_BYTES_PER_S);
  }
  take(4);
  take(5);
  expect(ended).toEqual([2, 1]);
  expect(slots.take(6)).toBe('full');
  expect(slots.count).toBe(3);
});

test('FILE-31: what began fast and stands still counts as slow, and an upload that has arrived keeps its slot', () => {
  const { slots, ended, take, pass } = start(4, 2);
  const [burst, arrived] = [take(1), take(2)];
  burst?.note(100_000_000);
  if (arrived) arrived.giveUp = null;
  pass(5 * SECOND);
  expect(slots.take(3)).toBe('full');
  pass(5 * SECOND);
  take(3);
  expect(ended).toEqual([1]);
  pass(10 * SECOND);
  take(4);
  expect(ended).toEqual([1, 3]);
});

test('FILE-31: no slot is lost or counted twice, whatever is taken, left and taken away', () => {
  const step = fc.record({ owner: fc.nat(5), ms: fc.nat(9_000), leaves: fc.boolean(), bytes: fc.nat(1_000_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { slots, pass } = start(2, 4);
      const held = new Set<PacedSlot>();
      for (const { owner, ms, leaves, bytes } of steps) {
        pass(ms);
        const [first] = held;
        first?.note(bytes);
        if (leaves && first) {
          first.leave();
          first.leave();
          held.delete(first);
        }
        const slot = slots.take(owner);
        if (typeof slot !== 'string') {
          held.add(slot);
          slot.giveUp = () => void held.delete(slot);
        }
        expect(slots.count).toBe(held.size);
        expect(slots.count).toBeLessThanOrEqual(4);
      }
    }),
  );
});
