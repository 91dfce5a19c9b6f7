import { expect, test } from 'vitest';
import { BotStage, WrittenSource } from '@parley/testing/bot/stage.ts';

test('BOTSDK-8: an answer that is deleted while it streams is stopped, and its source is closed', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  const source = new WrittenSource();
  const stopped = Promise.withResolvers<unknown>();
  bot.on('message', (ctx) => {
    ctx.signal.addEventListener('abort', () => stopped.resolve(ctx.signal.reason));
    return ctx.stream(source);
  });
  await bot.start({ signals: false });
  const asked = await stage.say('go');
  source.write('text');
  const { id } = await stage.placeholderOf(asked);
  await stage.alice.api.deleteMessages({ message_ids: [id] });
  expect(await stopped.promise).toMatchObject({ name: 'AbortError', why: 'over' });
  await source.left.promise;
  expect((await stage.history()).map(({ content }) => content)).toEqual(['go']);
  expect(stage.lines).toEqual([]);
});
