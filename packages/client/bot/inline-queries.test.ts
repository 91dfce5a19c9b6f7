import { expect, test } from 'vitest';
import { settled, StillClock } from '@parley/testing/sdk/fake-service.ts';
import type { Bot, InlineHandler } from './bot.ts';
import { InlineQueries } from './inline-queries.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';

test('BOTSDK-13: a bot without an inline handler immediately answers with an empty list', async () => {
  await using stage = await BotStage.start();
  await stage.bot().start({ signals: false });
  const { alice, account, chatId } = stage;
  expect(await alice.api.queryInline({ bot_username: account.username, chat_id: chatId, query: 'x' })).toEqual({
    results: [],
  });
});

const ID = '00000000-0000-4000-8000-000000000000';

/** Runs inline queries against a fake service. */
function stand(handler: InlineHandler) {
  const clock = new StillClock();
  const answers: unknown[] = [];
  const errors: unknown[] = [];
  /** The service accepts answers once this has resolved. */
  let taken = Promise.resolve();
  const queries = new InlineQueries({
    // `bot` is only passed on; of `client` only `call` is used.
    bot: {} as Bot,
    client: {
      call: async (_name: string, params: unknown) => {
        await taken;
        answers.push(params);
      },
    } as unknown as Bot['client'],
    clock,
    handler,
    log: () => {},
    onError: async (error) => void errors.push(error),
  });
  const ask = (query: string) =>
    queries.answer({
      query_id: ID,
      conversation_id: ID,
      query,
      from: { username: 'alice', kind: 'human', display_name: 'Alice' },
    });
  return { clock, answers, errors, ask, queries, takeBehind: (held: Promise<void>) => void (taken = held) };
}

test('BOTSDK-13: after three seconds the signal fires and nothing is answered', async () => {
  const reasons: string[] = [];
  const { clock, answers, errors, ask } = stand(async (_query, { signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    reasons.push(String(signal.reason));
    throw new Error('too late');
  });
  const answered = ask('slow');
  await clock.advance(2_999);
  expect(reasons).toEqual([]);
  await clock.advance(1);
  await answered;
  await settled();
  expect([reasons.length, answers, errors, clock.pending]).toEqual([1, [], [], 0]);
});

test('BOTSDK-13: a query is aborted when the user types more', async () => {
  const stopped: string[] = [];
  const { answers, ask, clock } = stand(async (query, { signal }) => {
    if (query === 'te') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    if (signal.aborted) stopped.push(query);
    return [query];
  });
  await Promise.all([ask('te'), ask('tea')]);
  await settled();
  expect([stopped, answers, clock.pending]).toEqual([['te'], [{ query_id: ID, results: ['tea'] }], 0]);
});

test('BOTSDK-16: a stopping bot waits for answers that are being sent', async () => {
  const { answers, ask, queries, takeBehind } = stand(async (query) => [query]);
  const held = Promise.withResolvers<void>();
  takeBehind(held.promise);
  void ask('tea');
  await settled();
  queries.stop();
  const sent = queries.sent().then(() => answers.length);
  held.resolve();
  expect(await sent).toBe(1);
});
