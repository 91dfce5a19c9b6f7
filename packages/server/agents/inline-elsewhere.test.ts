import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { accountScope } from '../events/kinds.ts';
import { InlineQueries } from './inline-queries.ts';

test('CLUSTER-5: a query of another node waits here for its bot as long as there, and its answer goes there', async () => {
  const clock = new ManualClock();
  const queries = new InlineQueries({ clock, publish: () => {} });
  const params = JSON.stringify({ query_id: 'a query' });
  queries.heard({ seq: 12, scope: accountScope(7), kind: 'inlineQuery', params, ref: 5 }, 2);
  expect(queries.waitingFor(7)).toMatchObject([{ id: 'a query', chatKey: 5, seq: 12, params, askedAt: clock.now() }]);
  expect([queries.waitingFor(8), queries.ownerOf(8, 'a query'), queries.ownerOf(7, 'a query')]).toEqual([
    [],
    undefined,
    2,
  ]);
  expect(queries.answer(7, 'a query', [])).toBe(false);
  await clock.advance(3_000);
  expect([queries.waitingFor(7), queries.ownerOf(7, 'a query')]).toEqual([[], undefined]);
});
