import { expect, test } from 'vitest';
import { type Lookup, Postponed } from './postponed.ts';
import type { QueuedMessage } from './queued-message.ts';

const message = (messageKey: number): QueuedMessage => ({ messageKey, chatKey: 1, senderKey: 9, isLate: false });
const lookup = (...keys: number[]): Lookup => ({
  chatKey: 1,
  messages: keys.map(message),
  accountKey: null,
  rest: null,
});
const place = (accountKey: number, tokenKey: number) => ({ accountKey, tokenKey });
const keysOf = (rest: Lookup | undefined) => rest?.messages.map(({ messageKey }) => messageKey);

/** How often each message is needed, by its key. */
class Needs {
  readonly counts = new Map<number, number>();
  need(messages: readonly QueuedMessage[]): void {
    for (const { messageKey } of messages) this.#add(messageKey, 1);
  }
  end(messages: readonly QueuedMessage[]): void {
    for (const { messageKey } of messages) this.#add(messageKey, -1);
  }
  #add(key: number, by: number): void {
    const count = (this.counts.get(key) ?? 0) + by;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}

test('PUSH-13: recipients after the first refused one wait with it, if they use the same service', () => {
  const postponed = new Postponed(new Needs());
  postponed.add('full', lookup(1), place(5, 50));
  expect(postponed.takesIn('full', lookup(2), place(5, 49))).toBe(false);
  expect(postponed.takesIn('full', lookup(2), place(4, 90))).toBe(false);
  expect(postponed.takesIn('other', lookup(2), place(5, 50))).toBe(false);
  expect(postponed.takesIn('full', { ...lookup(2), chatKey: 2 }, place(5, 50))).toBe(false);
  expect(postponed.takesIn('full', lookup(2), place(5, 50))).toBe(true);
  expect(postponed.takesIn('full', lookup(2), place(6, 1))).toBe(true);
  const rest = postponed.take('full');
  expect(rest?.rest).toEqual({ service: 'full', from: place(5, 50) });
  expect(keysOf(rest)).toEqual([1, 2]);
  // Postponed messages count as late: accounts that have read them are skipped.
  expect(rest?.messages.every(({ isLate }) => isLate)).toBe(true);
  expect([postponed.take('full'), postponed.size]).toEqual([undefined, 0]);
});

test('PUSH-13: if an earlier recipient is refused too, the lookup resumes from that one', () => {
  const postponed = new Postponed(new Needs());
  postponed.add('full', lookup(1), place(5, 50));
  postponed.add('full', lookup(2), place(3, 30));
  expect(postponed.size).toBe(1);
  const rest = postponed.take('full');
  expect([rest?.rest.from, keysOf(rest)]).toEqual([place(3, 30), [1, 2]]);
});

test('PUSH-13: a lookup for one account waits separately, or joins a postponed lookup for all', () => {
  const postponed = new Postponed(new Needs());
  const own = { ...lookup(1), accountKey: 5 };
  postponed.add('full', own, place(5, 50));
  expect(postponed.takesIn('full', lookup(2), place(5, 51))).toBe(false);
  expect(postponed.takesIn('full', own, place(5, 51))).toBe(true);
  postponed.add('full', lookup(2), place(5, 51));
  expect(postponed.takesIn('full', { ...lookup(1), accountKey: 6 }, place(6, 60))).toBe(true);
  expect(postponed.take('full')).toMatchObject({ accountKey: 5 });
  expect(keysOf(postponed.take('full'))).toEqual([1, 2]);
});

test('PUSH-13: a postponed lookup keeps the rows of its newest 5 messages', () => {
  const needs = new Needs();
  const postponed = new Postponed(needs);
  postponed.add('full', lookup(1, 2, 3), place(5, 50));
  for (const key of [5, 4, 6, 6]) postponed.takesIn('full', lookup(key), place(7, 70));
  postponed.takesIn('full', lookup(5, 6), place(8, 80));
  expect([...needs.counts]).toEqual([2, 3, 5, 4, 6].map((key) => [key, 1]));
  const rest = postponed.take('full');
  expect(keysOf(rest)).toEqual([2, 3, 4, 5, 6]);
  needs.end(rest?.messages ?? []);
  expect(needs.counts.size).toBe(0);
});

test('PUSH-13: at most 10,000 conversations wait per service, in order', () => {
  const needs = new Needs();
  const postponed = new Postponed(needs);
  for (let chatKey = 1; chatKey <= 10_001; chatKey += 1)
    postponed.add('full', { ...lookup(chatKey), chatKey }, place(1, 1));
  postponed.add('another', lookup(1), place(1, 1));
  expect([postponed.size, postponed.dropped, needs.counts.size]).toEqual([10_001, 1, 10_000]);
  expect([postponed.take('full')?.chatKey, postponed.take('full')?.chatKey]).toEqual([1, 2]);
});
