import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { expect, test } from 'vitest';
import type { TransientEvent } from '../log/event-log.ts';
import { accountScope } from '../core/event-kinds.ts';
import { InlineQueries, type InlineQuery } from './inline-queries.ts';

const from = { username: 'ann', kind: 'human', display_name: 'Ann' } as const;
const question: InlineQuery = { askerKey: 1, botKey: 2, chatKey: 3, chatId: 'chat', text: 'hello', from };

function registry() {
  const clock = new ManualClock();
  const events: TransientEvent[] = [];
  const queries = new InlineQueries({ clock, publish: (event) => events.push(event) });
  const idOf = (at: number): string => JSON.parse(events.at(at)?.params ?? '{}').query_id;
  const ask = (change: Partial<InlineQuery> = {}) => queries.ask({ ...question, ...change });
  return { clock, events, queries, ask, idOf };
}

/** 'waiting', or the results. */
const stateOf = (promise: Promise<readonly string[]>) => Promise.race([promise, Promise.resolve('waiting')]);

test('INLINE-1: the bot gets the query, and the asker gets its answer', async () => {
  const { queries, events, ask, idOf, clock } = registry();
  const results = ask();
  expect(events).toMatchObject([{ scope: accountScope(2), kind: 'inlineQuery' }]);
  expect(JSON.parse(events[0]?.params ?? '')).toEqual({
    query_id: idOf(0),
    conversation_id: 'chat',
    query: 'hello',
    from,
  });
  expect(queries.answer(2, idOf(0), ['a', 'b'])).toBe(true);
  expect(await results).toEqual(['a', 'b']);
  expect([queries.size, clock.pendingTimers]).toEqual([0, 0]);
});

test('INLINE-1: without an answer within 3 s the asker gets no results, and the query id is no longer valid', async () => {
  const { queries, ask, idOf, clock } = registry();
  const results = ask();
  await clock.advance(2_999);
  expect(await stateOf(results)).toBe('waiting');
  await clock.advance(1);
  expect(await results).toEqual([]);
  expect(queries.answer(2, idOf(0), ['late'])).toBe(false);
});

test('INLINE-4: a query id is a random UUID, which only the asked bot can use, once', async () => {
  const { queries, ask, idOf } = registry();
  const results = ask();
  expect(idOf(0)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(queries.answer(9, idOf(0), ['foreign'])).toBe(false);
  expect(queries.answer(2, 'unknown', ['unknown'])).toBe(false);
  expect(queries.answer(2, idOf(0), ['mine'])).toBe(true);
  expect(queries.answer(2, idOf(0), ['again'])).toBe(false);
  expect(await results).toEqual(['mine']);
});

test('INLINE-5: a new query ends the asker’s older one to the same bot in the same chat', async () => {
  const { queries, ask, idOf } = registry();
  const first = ask({ text: 'h' });
  const elsewhere = ask({ chatKey: 4 });
  const other = ask({ askerKey: 5 });
  const second = ask({ text: 'he' });
  expect(await first).toEqual([]);
  expect(queries.answer(2, idOf(0), ['old'])).toBe(false);
  for (const still of [elsewhere, other, second]) expect(await stateOf(still)).toBe('waiting');
  expect(queries.answer(2, idOf(3), ['new'])).toBe(true);
  expect(await second).toEqual(['new']);
  queries.close();
});

test('INLINE-6: an asker has at most three waiting queries; one more ends the oldest', async () => {
  const { queries, ask, clock } = registry();
  const stranger = ask({ askerKey: 9 });
  const own = [10, 11, 12].map((botKey) => ask({ botKey }));
  for (const still of own) expect(await stateOf(still)).toBe('waiting');
  const fourth = ask({ botKey: 13 });
  expect(await Promise.all([...own, fourth, stranger].map(stateOf))).toEqual([[], ...Array(4).fill('waiting')]);
  expect([queries.size, clock.pendingTimers]).toEqual([4, 4]);
  queries.close();
  expect((await Promise.all([...own, fourth, stranger])).flat()).toEqual([]);
  expect([queries.size, clock.pendingTimers]).toEqual([0, 0]);
});

test('INLINE-7: a query that waits for a bot has its number in the log', () => {
  const { queries, ask, events, idOf } = registry();
  void ask();
  expect(queries.waitingFor(2)).toMatchObject([{ seq: 0 }]);
  events[0]?.onSeq?.(7);
  expect(queries.waitingFor(2)).toMatchObject([{ id: idOf(0), seq: 7, chatKey: 3, params: events[0]?.params }]);
  expect(queries.waitingFor(9)).toEqual([]);
  queries.answer(2, idOf(0), []);
  expect(queries.waitingFor(2)).toEqual([]);
});

test('INLINE-9: closing ends all queries without results', async () => {
  const { queries, ask, clock, events } = registry();
  const waiting = ask();
  queries.close();
  expect(await Promise.all([waiting, ask()])).toEqual([[], []]);
  expect([events.length, clock.pendingTimers]).toEqual([1, 0]);
});
