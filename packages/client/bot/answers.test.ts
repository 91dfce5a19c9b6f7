import { expect, test } from 'vitest';
import type { BotContext } from './bot.ts';
import { BotStage, WrittenSource } from '@parley/testing/bot/stage.ts';

test('BOTSDK-2: a bot works on 20 conversations at once, one message at a time in each', async () => {
  await using stage = await BotStage.start();
  const { world, account } = stage;
  await stage.alice.api.setBotConfig({ username: account.username, is_public: true });
  const bot = stage.bot();
  const running = new Map<string, BotContext[]>();
  const all = Promise.withResolvers<void>();
  const sources: WrittenSource[] = [];
  bot.on('message', async (ctx) => {
    const chat = ctx.message.conversation_id;
    running.set(chat, [...(running.get(chat) ?? []), ctx]);
    const source = new WrittenSource();
    sources.push(source);
    source.write(`to ${ctx.text}`);
    if (sources.length === 20) all.resolve();
    if (ctx.text === '2') source.end();
    await ctx.stream(source);
  });
  await bot.start({ signals: false });
  const asked = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const person = await world.person(`person${at}`);
      const chat = await world.direct(person, account);
      const socket = await person.socket();
      const one = await stage.say('1', chat.id, person);
      const two = await stage.say('2', chat.id, person);
      return { socket, one, two };
    }),
  );
  await all.promise;
  // The first message of each conversation runs, no second one does.
  expect([...running.values()].map((list) => list.map(({ text }) => text))).toEqual(
    Array.from({ length: 20 }, () => ['1']),
  );
  for (const source of sources) source.end();
  for (const { socket, one, two } of asked) {
    expect((await stage.answerTo(one, socket)).content).toBe('to 1');
    expect((await stage.answerTo(two, socket)).content).toBe('to 2');
  }
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-14: if reply() or next() is not awaited, its error goes to catch and does not end the process', async () => {
  await using stage = await BotStage.start();
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const bot = stage.bot();
  const caught: string[] = [];
  const both = Promise.withResolvers<void>();
  bot.catch((error) => {
    caught.push(error instanceof Error ? error.message : String(error));
    if (caught.length === 2) both.resolve();
  });
  bot.use((_ctx, next) => {
    void next();
  });
  bot.on('message', async (ctx) => {
    if (ctx.text === 'left') {
      // The bot leaves the chat, so that its answer is refused.
      await ctx.bot.client.api.leaveChat({ chat_id: ctx.message.conversation_id });
      void ctx.reply('too late');
    } else {
      await Promise.resolve();
      throw new Error('behind middleware');
    }
  });
  await bot.start({ signals: false });
  const group = await stage.world.group(stage.alice);
  await stage.alice.api.addGroupAgent({ chat_id: group.id, agent_username: stage.account.username, always_on: true });
  await stage.say('x', group.id);
  await stage.say('left', group.id);
  await both.promise;
  expect(caught).toEqual(['behind middleware', expect.stringMatching(/forbidden/)]);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
