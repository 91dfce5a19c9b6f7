import { BotStage, WrittenSource } from '@parley/testing/bot/stage.ts';
import { expect, test } from 'vitest';
import type { Bot } from './bot.ts';

const shop = '{% button action="buy:2" /%} {% form id="order" %}{% input name="note" /%}{% /form %}';

/** A bot that shows a shop, and its message with a button and a form. */
async function open(stage: BotStage, ...bots: Bot[]) {
  for (const bot of bots) await bot.start({ signals: false });
  const { id: message_id } = await stage.answerTo(await stage.say('shop'));
  const { alice, chatId: chat_id, account } = stage;
  const press = (action: string, fields?: Record<string, unknown>) =>
    alice.api.sendComponentAction({ chat_id, message_id, action, ...(fields && { fields }) });
  return { alice, account, chat_id, message_id, press };
}

test('BOTSDK-30: a bot with a handler of presses asks for them and answers them instead of the service', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  bot.on('message', (ctx) => ctx.reply(shop));
  bot.action(/^buy:(\d+)$/, (ctx) => ctx.reply(`${ctx.from.username} buys ${ctx.match[1]}`));
  bot.action('form_submit:order', (ctx) => ctx.reply(`Noted: ${String(ctx.press.fields['note'])}`));
  const { message_id, press } = await open(stage, bot);
  await press('buy:2');
  expect((await stage.answerTo({ id: message_id })).content).toBe('alice buys 2');
  await press('form_submit:order', { note: 'two' });
  const ofForm = await stage.socket.event('messageComplete', ({ content }) => content === 'Noted: two');
  expect(ofForm.reply_to_id).toBe(message_id);
  expect(await stage.history()).toHaveLength(4);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-30: of two daemons one answers a press, and a press while none is connected is answered afterwards', async () => {
  await using stage = await BotStage.start();
  const daemons = [stage.bot(), stage.bot()];
  const handled: string[] = [];
  const both = Promise.withResolvers<void>();
  for (const [at, bot] of daemons.entries()) {
    bot.on('message', (ctx) => ctx.reply(shop));
    bot.action('buy:2', async (ctx) => {
      const answer = await ctx.reply(`from ${at}`);
      handled.push(answer ? 'answered' : 'left');
      if (handled.length === 2) both.resolve();
    });
  }
  const { message_id, press } = await open(stage, ...daemons);
  await press('buy:2');
  await both.promise;
  expect(handled.toSorted()).toEqual(['answered', 'left']);
  expect((await stage.history()).filter(({ reply_to_id }) => reply_to_id === message_id)).toHaveLength(1);

  await Promise.all(daemons.map((bot) => bot.stop()));
  await press('form_submit:order', { note: 'late' });
  const next = stage.bot();
  next.action('form_submit:order', (ctx) => ctx.reply(String(ctx.press.fields['note'])));
  await next.start({ signals: false });
  await stage.socket.event('messageComplete', ({ content }) => content === 'late');
  // The press that another daemon has answered is not answered again.
  expect(await stage.history()).toHaveLength(4);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-30, BOTSDK-9: the account that pressed may stop the answer', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  const source = new WrittenSource();
  bot.on('message', (ctx) => ctx.reply(shop));
  bot.action('buy:2', (ctx) => ctx.stream(source));
  const { alice, chat_id, message_id, press } = await open(stage, bot);
  await press('buy:2');
  const { id } = await stage.placeholderOf({ id: message_id });
  source.write('so far');
  await stage.socket.event('messageDelta', ({ delta }) => delta === 'so far');
  await alice.api.stopRun({ chat_id, message_id: id });
  expect(await stage.answerTo({ id: message_id })).toMatchObject({ status: 'cancelled', content: 'so far' });
});

test('BOTSDK-27: the commands that have a description are sent when the bot starts', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  const city = { name: 'city', required: true };
  bot.command({ command: 'weather', description: 'The weather', arguments: [city] }, (ctx) => ctx.reply('sunny'));
  bot.command('/secret', (ctx) => ctx.reply('found'));
  await bot.start({ signals: false });
  const { items } = await stage.alice.api.getBotCommands({ chat_id: stage.chatId });
  expect(items).toMatchObject([
    { bot: { username: stage.account.username }, commands: [{ command: 'weather', arguments: [city] }] },
  ]);
  expect((await stage.answerTo(await stage.say('/secret'))).content).toBe('found');
});
