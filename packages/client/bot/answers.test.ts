import { describe, expect, test } from 'vitest';
import type { BotContext } from './bot.ts';
import { BotStage, WrittenSource } from '@parley/testing/bot/stage.ts';

describe('BOTSDK-1, BOTSDK-2: a bot', () => {
  test('answers messages that address it, and no others', async () => {
    await using stage = await BotStage.start();
    const { world, alice, account } = stage;
    const bot = stage.bot();
    const any: string[] = [];
    bot.on('message', (ctx) => ctx.reply(`You said: ${ctx.text}`)).on('any', (ctx) => any.push(ctx.message.content));
    await bot.start({ signals: false });
    const answer = await stage.answerTo(await stage.say('hello'));
    expect([answer.content, answer.status, answer.sender.username]).toEqual([
      'You said: hello',
      'complete',
      account.username,
    ]);

    const bob = await world.person('bob');
    const group = await world.group(alice, bob);
    await alice.api.addGroupAgent({ chat_id: group.id, agent_username: account.username });
    await stage.say('nobody is meant', group.id, bob);
    const asked = await stage.say(`@${account.username} and now?`, group.id, bob);
    expect((await stage.answerTo(asked)).content).toBe('You said: and now?');
    expect(any).toEqual(['hello', 'nobody is meant', `@${account.username} and now?`]);
    expect((await stage.history(group.id)).filter(({ sender }) => sender.username === account.username)).toHaveLength(
      1,
    );
    expect(stage.lines).toEqual([]);
  });

  test('answers in the thread and channel of the message, and reads their history', async () => {
    await using stage = await BotStage.start();
    const { world, alice, account } = stage;
    const group = await world.group(alice);
    await alice.api.addGroupAgent({ chat_id: group.id, agent_username: account.username, always_on: true });
    const { id: channel_id } = await alice.api.createChannel({ chat_id: group.id, title: 'news' });
    const root = await alice.api.sendMessage({ chat_id: group.id, channel_id, text: 'root' });
    const bot = stage.bot();
    const seen: string[][] = [];
    bot.on('message', async (ctx) => {
      seen.push((await ctx.history()).map(({ content }) => content));
      expect((await ctx.chat).title).toBe('a group');
      await ctx.reply('here');
      await ctx.react('👍');
      await ctx.react('👍');
    });
    await bot.start({ signals: false });
    await stage.answerTo(root);
    const place = { chat_id: group.id, channel_id, thread_root_id: root.id };
    const one = await alice.api.sendMessage({ ...place, text: 'one' });
    expect(await stage.answerTo(one)).toMatchObject({ channel_id, thread_root_id: root.id, content: 'here' });
    await stage.socket.event('reactionAdded', ({ message_id }) => message_id === one.id);
    expect(seen.at(-1)).toEqual(['one']);
    expect(stage.socket.all('reactionRemoved')).toEqual([]);
    expect(stage.lines).toEqual([]);
  });

  test('can answer twice, and answers an agent that mentions it', async () => {
    await using stage = await BotStage.start();
    const { world, alice, account } = stage;
    const other = await world.bot(alice, 'other');
    const group = await world.group(alice);
    for (const { username } of [account, other])
      await alice.api.addGroupAgent({ chat_id: group.id, agent_username: username });
    const bot = stage.bot();
    bot.on('message', async (ctx) => {
      await ctx.reply(`first, for ${(await ctx.config()).user}`);
      await ctx.reply('second');
    });
    await bot.start({ signals: false });
    const asked = await stage.say(`@${other.username} ask it`, group.id);
    const question = await other.api.sendMessage({
      chat_id: group.id,
      text: `@${account.username} you?`,
      reply_to_message_id: asked.id,
    });
    await stage.socket.event('messageComplete', ({ content }) => content === 'second');
    const answers = stage.socket.all('messageComplete').filter(({ reply_to_id }) => reply_to_id === question.id);
    expect(answers.map(({ content }) => content)).toEqual(['first, for alice', 'second']);
  });

  test('BOTSDK-15: receives the settings and secrets of the human who asks', async () => {
    await using stage = await BotStage.start();
    const { world, alice } = stage;
    const { bot: made, token } = await alice.api.createBot({
      slug: 'set',
      display_name: 'Set',
      config_schema: [{ key: 'tone', label: 'Tone', type: 'string', default: 'dry' }],
      secret_schema: [{ key: 'api_key', label: 'Key', type: 'string' }],
    });
    await alice.api.setMyBotConfig({
      username: made.username,
      config: { tone: 'warm' },
      secrets: { api_key: 'k-1234567890' },
    });
    const chat = await alice.api.startChat({ username: made.username });
    const bot = stage.bot({ token });
    bot.on('message', async (ctx) => {
      const { user, config, secrets } = await ctx.config();
      await ctx.reply(`${user} ${config['tone']} ${secrets['api_key']?.length}`);
    });
    await bot.start({ signals: false });
    expect((await stage.answerTo(await stage.say('x', chat.id))).content).toBe('alice warm 12');
    expect(world.errors).toEqual([]);
  });

  test('works on 20 conversations at once, one message at a time in each', async () => {
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

  test('answers that it is busy when too many messages wait', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot({ turnsAtOnce: 1, turnsWaiting: 1 });
    const source = new WrittenSource();
    bot.on('message', (ctx) => (ctx.text === '1' ? ctx.stream(source) : ctx.reply('done')));
    await bot.start({ signals: false });
    const [one, two, three] = [await stage.say('1'), await stage.say('2'), await stage.say('3')];
    expect(await stage.answerTo(three)).toMatchObject({
      status: 'failed',
      content: expect.stringContaining('busy'),
    });
    source.write('one');
    source.end();
    expect((await stage.answerTo(one)).content).toBe('one');
    expect((await stage.answerTo(two)).content).toBe('done');
  });
});

describe('BOTSDK-14: middleware and errors', () => {
  test('middleware runs around handlers in order, and can skip them', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const steps: string[] = [];
    bot
      .use(async (ctx, next) => {
        steps.push('in 1');
        ctx.state.set('who', ctx.message.sender.username);
        await next();
        steps.push('out 1');
      })
      .use(async (ctx, next) => {
        if (ctx.text === 'stop') await ctx.reply('no');
        else await next();
      })
      .on('message', (ctx) => ctx.reply(`yes, ${String(ctx.state.get('who'))}`));
    await bot.start({ signals: false });
    expect((await stage.answerTo(await stage.say('stop'))).content).toBe('no');
    expect((await stage.answerTo(await stage.say('go'))).content).toBe('yes, alice');
    expect(steps.slice(0, 3)).toEqual(['in 1', 'out 1', 'in 1']);
  });

  test('an error in a handler is logged, the message gets a short failed answer, and the bot continues', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    bot.on('message', (ctx) => {
      if (ctx.text === 'bad') throw new Error('the handler failed');
      return ctx.reply('fine');
    });
    await bot.start({ signals: false });
    expect(await stage.answerTo(await stage.say('bad'))).toMatchObject({ status: 'failed', finish_reason: 'bot' });
    expect((await stage.answerTo(await stage.say('good'))).content).toBe('fine');
    expect(stage.lines).toEqual([expect.stringContaining('the handler failed')]);
    expect(stage.lines.join('\n')).not.toContain(stage.account.token);
  });

  test('catch receives the errors of handlers, and an error in catch does no harm', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    bot.on('message', (ctx) => {
      if (ctx.text === 'fine') return ctx.reply('fine');
      throw new Error(ctx.text);
    });
    bot.catch(async (error, ctx) => {
      await ctx?.reply(`caught ${String(error)}`);
      throw new Error('again');
    });
    await bot.start({ signals: false });
    expect(await stage.answerTo(await stage.say('oh'))).toMatchObject({
      content: 'caught Error: oh',
      status: 'complete',
    });
    expect((await stage.answerTo(await stage.say('fine'))).content).toBe('fine');
    expect(stage.lines).toEqual([expect.stringContaining('again')]);
  });
});

describe('BOTSDK-14: work that is not awaited', () => {
  test('if reply() or next() is not awaited, its error goes to catch and does not end the process', async () => {
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
});
