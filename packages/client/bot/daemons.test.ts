import type { Message } from '@parley/protocol';
import { describe, expect, test } from 'vitest';
import { BotStage, WrittenSource } from '@parley/testing/bot/stage.ts';

describe('BOTSDK-3, BOTSDK-4: several connections and daemons', () => {
  test('a message is answered once even if the connection breaks during the turn', async () => {
    await using stage = await BotStage.start();
    const refused = Promise.withResolvers<void>();
    const bot = stage.bot({
      isBehindProxy: true,
      random: () => 0,
      async fetch(input, init) {
        try {
          return await fetch(input, init);
        } catch (error) {
          if (typeof input === 'string' && input.endsWith('/appendMessageStream')) refused.resolve();
          throw error;
        }
      },
    });
    const source = new WrittenSource();
    let runs = 0;
    bot.on('message', (ctx) => {
      runs += 1;
      return ctx.text === 'late' ? ctx.reply('late too') : ctx.stream(source);
    });
    await bot.start({ signals: false });
    const asked = await stage.say('go');
    source.write('before ');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'before ');
    stage.proxy.takeDown();
    source.write('meanwhile ');
    const late = await stage.alice.api.sendMessage({ chat_id: stage.chatId, text: 'late' });
    await refused.promise;
    stage.proxy.heal();
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'meanwhile ');
    source.write('after');
    source.end();
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'before meanwhile after', status: 'complete' });
    expect((await stage.answerTo(late)).content).toBe('late too');
    expect(runs).toBe(2);
    expect(stage.lines).toEqual([]);
  });

  test('of two daemons of one bot, one answers and the other reads nothing from its text source', async () => {
    await using stage = await BotStage.start();
    const begun: number[] = [];
    const ended: unknown[] = [];
    const ready: Promise<unknown>[] = [];
    const both = Promise.withResolvers<void>();
    for (const n of [1, 2]) {
      const bot = stage.bot();
      bot.on('message', async (ctx) => {
        const answer = await ctx.stream(
          (async function* () {
            begun.push(n);
            yield `from ${n}`;
          })(),
        );
        ended.push(answer && n);
        if (ended.length === 2) both.resolve();
      });
      ready.push(bot.start({ signals: false }));
    }
    await Promise.all(ready);
    const answer = await stage.answerTo(await stage.say('go'));
    await both.promise;
    expect(begun).toHaveLength(1);
    expect(ended).toHaveLength(2);
    expect(new Set(ended)).toEqual(new Set([begun[0], null]));
    expect((await stage.history()).map(({ content }) => content)).toEqual(['go', answer.content]);
    expect(stage.lines).toEqual([]);
  });

  test('messages sent while no daemon ran are answered by the next one, and none twice', async () => {
    await using stage = await BotStage.start();
    const missed = await stage.say('while away');
    const runs: string[] = [];
    const start = async () => {
      const bot = stage.bot();
      bot.on('message', (ctx) => {
        runs.push(ctx.text);
        return ctx.reply(`about ${ctx.text}`);
      });
      await bot.start({ signals: false });
      return bot;
    };
    const first = await start();
    expect((await stage.answerTo(missed)).content).toBe('about while away');
    await first.stop();
    await start();
    const next = await stage.say('next');
    expect((await stage.answerTo(next)).content).toBe('about next');
    expect(runs).toEqual(['while away', 'next']);
    expect(stage.lines).toEqual([]);
  });

  test('messages older than ten minutes are not answered', async () => {
    await using stage = await BotStage.start();
    await stage.say('long ago');
    const later = 11 * 60_000;
    const bot = stage.bot({
      clock: {
        now: () => Date.now() + later,
        setTimer(callback, ms) {
          const timer = setTimeout(callback, ms);
          return { cancel: () => clearTimeout(timer) };
        },
      },
    });
    const runs: string[] = [];
    bot.on('message', (ctx) => {
      runs.push(ctx.text);
      return ctx.reply('yes');
    });
    await bot.start({ signals: false });
    await stage.answerTo(await stage.say('now'));
    expect(runs).toEqual(['now']);
  });

  test('after a restart of the service the daemon reconnects and receives what it missed', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot({ random: () => 0 });
    bot.on('message', (ctx) => ctx.reply(`about ${ctx.text}`));
    await bot.start({ signals: false });
    await stage.answerTo(await stage.say('before'));
    await stage.world.restart();
    const socket = await stage.alice.socket();
    expect((await stage.answerTo(await stage.say('after'), socket)).content).toBe('about after');
    expect(stage.lines).toEqual([]);
  });
});

describe('BOTSDK-16: stopping a bot', () => {
  test('running answers finish within the grace period, and no new ones start', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const source = new WrittenSource();
    const runs: string[] = [];
    bot.on('message', (ctx) => {
      runs.push(ctx.text);
      return ctx.stream(source);
    });
    await bot.start({ signals: false });
    const asked = await stage.say('one');
    source.write('text');
    await stage.socket.event('messageDelta');
    const heard = new Promise<void>((resolve) => void bot.client.on('messageNew', () => resolve()));
    await stage.say('two');
    await heard;
    const stopped = bot.stop();
    await stage.say('three');
    source.write(' to its end');
    source.end();
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'text to its end', status: 'complete' });
    await stopped;
    expect(runs).toEqual(['one']);
    expect(bot.client.state).toBe('closed');
  });

  test('an answer that runs longer ends as failed with the text so far', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const source = new WrittenSource();
    bot.on('message', (ctx) => ctx.stream(source));
    await bot.start({ signals: false });
    const asked = await stage.say('one');
    source.write('so far');
    await stage.socket.event('messageDelta');
    await bot.stop({ graceMs: 0 });
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'so far', status: 'failed' });
    expect(stage.lines).toEqual([]);
  });
});

test('BOTSDK-11: an answer left open by a dead daemon can be stopped by its asker through the next daemon', async () => {
  await using stage = await BotStage.start();
  const asked = await stage.say('one');
  // The daemon that died.
  const { id } = await stage.account.api.startMessageStream({
    chat_id: stage.chatId,
    reply_to_message_id: asked.id,
    client_msg_id: `re:${asked.id}`,
  });
  await stage.account.api.appendMessageStream({ message_id: id, delta: 'so far', offset: 6 });
  const waited = Promise.withResolvers<() => void>();
  const bot = stage.bot({
    clock: {
      now: () => Date.now(),
      setTimer(callback, ms) {
        // The delay that gives another daemon time to end its reply: the test ends it itself.
        if (ms === 5_000) waited.resolve(callback);
        const timer = setTimeout(callback, ms === 5_000 ? 2 ** 30 : ms);
        return { cancel: () => clearTimeout(timer) };
      },
    },
  });
  const runs: string[] = [];
  bot.on('message', (ctx) => {
    runs.push(ctx.text);
    return ctx.reply('yes');
  });
  await bot.start({ signals: false });
  await stage.alice.api.stopRun({ chat_id: stage.chatId, message_id: id });
  await stage.answerTo(await stage.say('two'));
  const othersHadTheirTime = await waited.promise;
  othersHadTheirTime();
  expect(await stage.answerTo(asked)).toMatchObject({ content: 'so far', status: 'cancelled' });
  expect(runs).toEqual(['two']);
});

describe('BOTSDK-3, BOTSDK-4: replies that are continued', () => {
  /** A group with the bot and Alice's agent, and its reply that was cut off. */
  async function cutOff(stage: BotStage, chunk: string) {
    const { world, alice, account } = stage;
    const bob = await world.member('bob');
    const { id: chat_id } = await world.group(alice, bob);
    await alice.api.setAgentKey({ provider: 'provider_a', api_key: 'key' });
    const agent = `${alice.username}:provider_a`;
    for (const agent_username of [agent, account.username]) await alice.api.addGroupAgent({ chat_id, agent_username });
    world.providers.script('key', { chunks: [chunk], finish: 'max_tokens' });
    await alice.api.sendMessage({ chat_id, text: `@${agent} ?` });
    const { id: message_id } = await stage.socket.event('messageComplete', ({ content }) => content === chunk);
    const goOn = async (more: string, meanwhile = async (): Promise<void> => {}): Promise<Message> => {
      const reply = world.providers.steer('key');
      await alice.api.continueReply({ message_id });
      await reply.started;
      await meanwhile();
      reply.text(more);
      reply.end();
      return stage.socket.event('messageComplete', ({ content }) => content === `${chunk}${more}`);
    };
    return { chat_id, goOn };
  }

  test('a bot that has received a reply is called when a later end of the reply fires it', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const fired: [string, boolean][] = [];
    bot.on('any', (ctx) => {
      if (ctx.message.sender.kind === 'agent') fired.push([ctx.text, ctx.isDispatched]);
    });
    bot.on('message', (ctx) => ctx.reply('here'));
    await bot.start({ signals: false });
    const { goOn } = await cutOff(stage, 'Ask');
    const whole = await goOn(` @${stage.account.username}`);
    expect((await stage.answerTo(whole)).content).toBe('here');
    expect(fired.map(([, isDispatched]) => isDispatched)).toEqual([false, true]);
  });

  test('the next daemon does not answer a reply again that goes on after it was answered', async () => {
    await using stage = await BotStage.start();
    const runs: string[] = [];
    const start = async () => {
      const bot = stage.bot();
      bot.on('message', (ctx) => {
        runs.push(ctx.text);
        return ctx.reply(`about ${ctx.text}`);
      });
      await bot.start({ signals: false });
      return bot;
    };
    const first = await start();
    const startAgain = async (): Promise<void> => void (await start());
    const { chat_id, goOn } = await cutOff(stage, `Ask @${stage.account.username}`);
    await stage.socket.event('messageComplete', ({ content }) => content.startsWith('about Ask'));
    await first.stop();
    await goOn(' please', startAgain);
    await stage.answerTo(await stage.say(`@${stage.account.username} next`, chat_id));
    expect(runs).toHaveLength(2);
    expect(runs[1]).toContain('next');
  });
});
