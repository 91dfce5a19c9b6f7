import { describe, expect, test } from 'vitest';
import { createBot, type MessageFilter, type SessionStorage } from '../index.ts';
import { testBot, type TestReply } from './index.ts';

const texts = (replies: readonly { text: string }[]): string[] => replies.map(({ text }) => text);

describe('BOTSDK-31: testBot drives a bot without a service', () => {
  test('its replies have their text, pieces, parts, attachments and usage', async () => {
    const bot = createBot();
    const usage = { input_tokens: 3, output_tokens: 2 };
    bot.on('message', async (ctx) => {
      await ctx.part({ id: 'source', type: 'source', url: 'https://example.org/', title: 'Example' });
      await ctx.stream(['You said ', `${ctx.text}, `, ctx.from.username], { usage: Promise.resolve(usage) });
      await ctx.react('👍');
    });
    const tested = testBot(bot);
    const [reply, ...more] = await tested.message('hi', { from: 'bob' });
    expect(more).toEqual([]);
    expect(reply).toMatchObject({
      text: 'You said hi, bob',
      status: 'complete',
      parts: [{ id: 'source', offset: 0, type: 'source' }],
      usage,
    });
    expect(reply?.pieces.join('')).toBe(reply?.text);
    expect(tested.messages[0]?.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
  });

  test('in a group the bot answers only if it is meant; direct chats of two people are two', async () => {
    const bot = createBot();
    bot.on('message', async (ctx) => ctx.reply(`${ctx.text} (${(await ctx.history()).length})`));
    const tested = testBot(bot, { username: 'ann:helper' });
    expect(texts(await tested.message('hello', { chat: 'Team' }))).toEqual([]);
    const [answer] = await tested.message('@ann:helper hello', { chat: 'Team' });
    expect(answer?.text).toBe('hello (2)');
    const replyTo = answer?.message;
    if (!replyTo) throw new Error('the bot has not answered');
    expect(texts(await tested.message('more', { chat: 'Team', replyTo }))).toEqual(['more (4)']);
    expect(texts(await tested.message('one'))).toEqual(['one (1)']);
    expect(texts(await tested.message('two', { from: 'bob' }))).toEqual(['two (1)']);
  });

  test('settings, suggestions, operations of its own, and errors', async () => {
    const lines: string[] = [];
    const bot = createBot({ log: (line) => lines.push(line) });
    bot.on('message', async (ctx) => {
      if (ctx.text === 'fail') throw new Error('as you wish');
      const { user, config } = await ctx.config();
      const { display_name } = await ctx.bot.client.api.getUser({ username: user });
      await ctx.reply(`${config.greeting}, ${display_name}`);
    });
    bot.inline((query) => [`${query}!`]);
    const account = { username: 'alice', kind: 'human' as const, display_name: 'Alice A', created_at: '' };
    const tested = testBot(bot, { config: { greeting: 'Good day' }, api: { getUser: () => account } });
    expect(texts(await tested.message('hi'))).toEqual(['Good day, Alice A']);
    expect(await tested.inline('tea')).toEqual(['tea!']);
    expect(await tested.message('fail')).toMatchObject([{ status: 'failed' }]);
    expect(lines).toEqual([expect.stringContaining('as you wish')]);
    const other = createBot({ log: (line) => lines.push(line) });
    other.on('message', (ctx) => ctx.bot.client.api.getUser({ username: 'x' }));
    await testBot(other).message('hi');
    expect(lines.at(-1)).toContain('testBot(bot, { api: { getUser: … } })');
  });

  test('testBot takes a bot of createBot once, and nothing else', () => {
    const bot = createBot();
    testBot(bot);
    expect(() => testBot(bot)).toThrow(/already/);
    expect(() => testBot({ ...bot })).toThrow(TypeError);
  });
});

describe('BOTSDK-27: a command', () => {
  test('runs its own handler instead of those of messages; an unknown one is a message', async () => {
    const bot = createBot();
    const seen: string[] = [];
    bot.on('any', (ctx) => void seen.push(ctx.message.content));
    bot.on('message', (ctx) => ctx.reply('a message'));
    bot.command('/weather', (ctx) => ctx.reply(`Weather in ${ctx.command.args}`));
    bot.command({ command: 'help', description: 'Help' }, (ctx) => ctx.reply(`Help for ${ctx.from.username}`));
    const tested = testBot(bot);
    const said = async (text: string) => texts(await tested.message(text));
    expect(await said('/weather  New York ')).toEqual(['Weather in New York']);
    expect(await said('/WEATHER\nRome')).toEqual(['Weather in Rome']);
    expect(await said('/help')).toEqual(['Help for alice']);
    for (const text of ['/weatherly', '/unknown', 'see /weather', '/weather/x'])
      expect(await said(text), text).toEqual(['a message']);
    expect(seen).toHaveLength(7);
    expect(texts(await tested.message('@ann:bot /weather Bonn', { chat: 'Team' }))).toEqual(['Weather in Bonn']);
    for (const name of ['', '/', 'two words', 'Ä']) expect(() => bot.command(name, () => {}), name).toThrow(TypeError);
  });
});

describe('BOTSDK-28: a filter', () => {
  test('names a kind of attachment, a text that matches, or a function; every fitting handler runs', async () => {
    const bot = createBot();
    const filters: [string, MessageFilter][] = [
      ['photo', 'message:photo'],
      ['number', /(\d+)/g],
      ['group', async (ctx) => (await ctx.chat).kind === 'group'],
      ['all', 'message'],
    ];
    for (const [name, filter] of filters) bot.on(filter, (ctx) => ctx.reply(`${name} ${ctx.match?.[1] ?? ''}`.trim()));
    const tested = testBot(bot);
    expect(texts(await tested.message('hi'))).toEqual(['all']);
    const photo = { kind: 'photo' as const, url: 'https://example.org/a.png' };
    expect(texts(await tested.message('', { attachments: [photo] }))).toEqual(['photo', 'all']);
    for (const text of ['see 12', 'see 34'])
      expect(texts(await tested.message(text))).toEqual([`number ${text.slice(4)}`, 'all']);
    expect(texts(await tested.message('@ann:bot hi', { chat: 'Team' }))).toEqual(['group', 'all']);
  });
});

describe('BOTSDK-29: a session', () => {
  test('is one for each timeline, is written if it has changed, and not by a handler that throws', async () => {
    const stored = new Map<string, string>();
    let writes = 0;
    const storage: SessionStorage<{ asked: number } | null> = {
      read: async (key) => JSON.parse(stored.get(key) ?? 'null') ?? undefined,
      write: async (key, value) => {
        writes += 1;
        stored.set(key, JSON.stringify(value));
      },
      delete: (key) => stored.delete(key),
    };
    const bot = createBot({
      log: () => {},
      session: { initial: (): { asked: number } | null => ({ asked: 0 }), storage },
    });
    bot.on('message', async (ctx) => {
      if (ctx.text === 'forget') ctx.session = null;
      else if (ctx.session && ctx.text !== 'look') ctx.session.asked += 1;
      if (ctx.text === 'fail') throw new Error('after the change');
      await ctx.reply(`${ctx.session?.asked}`);
    });
    const tested = testBot(bot);
    expect(texts(await tested.message('one'))).toEqual(['1']);
    expect(texts(await tested.message('two'))).toEqual(['2']);
    expect(texts(await tested.message('look'))).toEqual(['2']);
    expect(writes).toBe(2);
    await tested.message('fail');
    expect(texts(await tested.message('one', { from: 'bob' }))).toEqual(['1']);
    expect(texts(await tested.message('look'))).toEqual(['2']);
    await tested.message('forget');
    expect(stored.size).toBe(1);
    expect(texts(await tested.message('one'))).toEqual(['1']);
  });

  test('messages with the same key use the session one after another; a message without a key has no session', async () => {
    const bot = createBot({
      session: {
        initial: () => ({ count: 0 }),
        key: ({ from }) => (from.username === 'eve' ? undefined : 'everyone'),
      },
    });
    bot.on('message', async (ctx) => {
      if (!(ctx.session as unknown)) return ctx.reply('none');
      const { count } = ctx.session;
      // Lets the other turn run.
      await ctx.chat;
      ctx.session.count = count + 1;
      return ctx.reply(`${ctx.session.count}`);
    });
    const tested = testBot(bot);
    const said = await Promise.all(['alice', 'bob', 'cleo'].map((from) => tested.message('hi', { from })));
    expect(said.flatMap(texts).toSorted()).toEqual(['1', '2', '3']);
    expect(texts(await tested.message('hi', { from: 'eve' }))).toEqual(['none']);
  });
});

describe('BOTSDK-30: a press', () => {
  test('runs the handlers whose pattern is or matches its action, with its fields and session', async () => {
    const bot = createBot({ session: { initial: () => ({ bought: 0 }) } });
    bot.on('message', (ctx) => ctx.reply('{% button action="buy:2" /%} {% form id="order" %}{% /form %}'));
    bot.action(/^buy:(\d+)$/, (ctx) => {
      ctx.session.bought += Number(ctx.match[1]);
      return ctx.stream([`${ctx.from.username} has `, `${ctx.session.bought}`]);
    });
    bot.action('form_submit:order', (ctx) =>
      ctx.reply(`${String(ctx.press.fields['note'])} on ${ctx.message.content.length}`),
    );
    const tested = testBot(bot);
    await expect(tested.action('buy:2')).rejects.toThrow(/no message/);
    const [shown] = await tested.message('shop');
    expect(texts(await tested.action('buy:2', { from: 'bob' }))).toEqual(['bob has 2']);
    const message = shown?.message ?? { id: '' };
    const [answer] = await tested.action('buy:3', { message });
    expect(answer).toMatchObject({ text: 'alice has 5', message: { reply_to_id: message.id } });
    const length = shown?.text.length;
    expect(texts(await tested.action('form_submit:order', { fields: { note: 'two' }, message }))).toEqual([
      `two on ${length}`,
    ]);
    expect(await tested.action('other', { message })).toEqual([]);
  });
});

test('BOTSDK-43: answers to the questions of a bot, also after a restart of the bot', async () => {
  const runs: string[] = [];
  const create = () => {
    const bot = createBot({ token: 'mb_none' });
    bot.on('message', async (ctx) => {
      runs.push('asks');
      const form = [{ key: 'count', label: 'Count', type: 'number', required: true }] as const;
      const { state, option, fields, by } = await ctx.ask({ text: 'How many?', form, expires_in: 60 });
      await ctx.reply(`${state} ${option} ${fields.count} ${by}`);
    });
    bot.action('go', async (ctx) => void (await ctx.ask({ text: 'Sure?', options: [{ id: 'yes', label: 'Yes' }] })));
    return bot;
  };
  const tested = testBot(create());
  const [question] = await tested.message('order');
  expect(question?.message.decision).toMatchObject({ state: 'open', options: [{ id: 'submit' }, { id: 'decline' }] });
  const texts = async (replies: Promise<TestReply[]>) => (await replies).map(({ text }) => text);
  await expect(tested.decide('submit')).rejects.toThrow('needs a value for count');
  await expect(tested.decide('other')).rejects.toThrow('no option other, but submit, decline');
  expect(await texts(tested.decide('submit', { from: 'bob', fields: { count: 2 } }))).toEqual(['decided submit 2 bob']);
  await expect(tested.decide('submit')).rejects.toThrow('no question that is open');

  await tested.message('order');
  expect(await texts(tested.decide('decline'))).toEqual(['decided decline undefined alice']);
  await tested.message('order');
  expect(await texts(tested.expire())).toEqual(['expired null undefined null']);

  await tested.message('order');
  tested.restart(create());
  runs.length = 0;
  expect(await texts(tested.withdraw())).toEqual(['withdrawn null undefined null']);
  expect(runs).toEqual(['asks']);

  await tested.action('go');
  expect(await texts(tested.decide('yes'))).toEqual([]);
  expect(tested.messages.filter(({ status }) => status !== 'complete')).toEqual([]);
});
