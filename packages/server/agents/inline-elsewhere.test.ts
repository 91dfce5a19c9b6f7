import type { Actor } from '@parley/protocol';
import { ManualClock } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { accountScope } from '../core/event-kinds.ts';
import { InlineQueries } from './inline-queries.ts';

test('CLUSTER-5: a query of another node waits here for its bot for 3 s, and that node gets the answer', async () => {
  const clock = new ManualClock();
  const queries = new InlineQueries({ clock, publish: () => {} });
  const params = JSON.stringify({ query_id: 'a query' });
  queries.heard({ seq: 12, scope: accountScope(7), kind: 'inlineQuery', params, ref: 5 }, 2);
  expect(queries.waitingFor(7)).toMatchObject([
    { id: 'a query', chatKey: 5, seq: 12, params, askedAt: clock.monotonic() },
  ]);
  expect([queries.waitingFor(8), queries.ownerOf(8, 'a query'), queries.ownerOf(7, 'a query')]).toEqual([
    [],
    undefined,
    2,
  ]);
  expect(queries.answer(7, 'a query', [])).toBe(false);
  await clock.advance(3_000);
  expect([queries.waitingFor(7), queries.ownerOf(7, 'a query')]).toEqual([[], undefined]);
});

test('CLUSTER-5: an asker’s waiting queries count together across nodes, and each ends on its own node', async () => {
  const clock = new ManualClock();
  const ended: string[] = [];
  const queries = new InlineQueries({ clock, publish: () => {}, ended: (id) => ended.push(id) });
  const ask = (botKey: number, chatKey: number) =>
    queries.ask({ askerKey: 1, botKey, chatKey, chatId: 'a chat', text: '', from: {} as Actor });
  const hear = (id: string, botKey: number, chatKey: number, asker = 1) =>
    queries.heard(
      {
        seq: 1,
        scope: accountScope(botKey),
        kind: 'inlineQuery',
        params: JSON.stringify({ query_id: id }),
        ref: chatKey,
        asker,
      },
      2,
    );
  const isAnswered = (answer: Promise<unknown>) =>
    Promise.race([answer.then(() => true), turnOfLoop().then(() => false)]);
  const first = ask(7, 1);
  hear('same bot and chat', 7, 1);
  expect(await isAnswered(first)).toBe(true);
  const second = ask(8, 1);
  queries.endedElsewhere('same bot and chat');
  hear('another', 9, 1);
  hear('of somebody else', 9, 2, 3);
  expect(await isAnswered(second)).toBe(false);
  const third = ask(10, 1);
  // Four queries wait. The oldest is `second`, which was asked on this node, so this node ends it.
  hear('one too many', 11, 1);
  expect([await isAnswered(second), await isAnswered(third), ended.length]).toEqual([true, false, 2]);
  queries.close();
});
