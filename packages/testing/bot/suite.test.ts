// The suite that the bot SDK of every language passes: the same bot, written in each of them (suite-bot.ts,
// sdk/python/tests/suite_bot.py), runs in a process of its own against a real service.
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { describeWithPython } from './python.ts';
import { BotStage } from './stage.ts';
import { javascript, type Language, pythonLanguage, SuiteBotProcess, type SuiteOptions } from './suite-bot-process.ts';

/** Beside other tests a process may take seconds to start. */
const PATIENCE_MS = 60_000;

describe('the bot SDK for JavaScript', { timeout: PATIENCE_MS }, () => {
  suite(javascript);
});
describeWithPython('the bot SDK for Python', PATIENCE_MS, () => suite(pythonLanguage));

function suite(language: Language): void {
  /** Starts another daemon of the stage's bot; resolves once it is connected. */
  async function start(stage: BotStage, options?: SuiteOptions, token = stage.account.token, url = stage.world.url) {
    const bot = new SuiteBotProcess(language, url, token, options);
    expect(await bot.report('started')).toMatchObject({ isConnected: true });
    return bot;
  }

  /** A stage and a daemon of its bot. */
  async function played(options?: SuiteOptions) {
    const stage = await BotStage.start();
    const bot = await start(stage, options);
    const end = async (): Promise<void> => {
      await bot.kill();
      await stage[Symbol.asyncDispose]();
    };
    return { stage, bot, [Symbol.asyncDispose]: end };
  }

  const answered = async (stage: BotStage, text: string, chatId = stage.chatId) =>
    stage.answerTo(await stage.say(text, chatId));

  /** A group of Alice with the bot. */
  async function inGroup(stage: BotStage, ...names: string[]) {
    const { world, alice, account } = stage;
    const members = await Promise.all(names.map((name) => world.person(name)));
    const { id } = await world.group(alice, ...members);
    await alice.api.addGroupAgent({ chat_id: id, agent_username: account.username });
    return { id, members };
  }

  test('BOTSDK-1: a bot answers messages that address it, in their timeline, and no others', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { alice, account } = stage;
    expect(await answered(stage, 'hello')).toMatchObject({ content: 'hello, alice', status: 'complete' });

    const { id, members } = await inGroup(stage, 'bob');
    await stage.say('nobody is meant', id, members[0]);
    const { id: channel_id } = await alice.api.createChannel({ chat_id: id, title: 'news' });
    const root = await alice.api.sendMessage({ chat_id: id, channel_id, text: 'root' });
    const place = { chat_id: id, channel_id, thread_root_id: root.id };
    const asked = await alice.api.sendMessage({ ...place, text: `@${account.username} around` });
    expect(await stage.answerTo(asked)).toMatchObject({ channel_id, thread_root_id: root.id, content: 'here' });
    await stage.socket.event('reactionAdded', ({ message_id }) => message_id === asked.id);
    expect(await bot.report('around')).toMatchObject({
      history: [`@${account.username} around`],
      chat: { id, title: 'a group' },
    });
    await bot.report('left', ({ text }) => text === 'around');
    expect(stage.socket.all('reactionRemoved')).toEqual([]);
    expect(bot.all('any').map(({ text, isDispatched }) => [text, isDispatched])).toEqual([
      ['hello', true],
      ['nobody is meant', false],
      ['root', false],
      ['around', true],
    ]);
    expect([bot.all('log'), bot.said]).toEqual([[], '']);
  });

  test('BOTSDK-1, BOTSDK-15: a bot answers twice, for the human at the root, with that human’s settings', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { world, alice, account } = stage;
    const other = await world.bot(alice, 'other');
    const { id } = await inGroup(stage);
    await alice.api.addGroupAgent({ chat_id: id, agent_username: other.username });
    const asked = await stage.say(`@${other.username} ask it`, id);
    const question = await other.api.sendMessage({
      chat_id: id,
      text: `@${account.username} twice`,
      reply_to_message_id: asked.id,
    });
    await stage.socket.event('messageComplete', ({ content }) => content === 'second');
    const answers = stage.socket.all('messageComplete').filter(({ reply_to_id }) => reply_to_id === question.id);
    expect(answers.map(({ content }) => content)).toEqual(['first, for alice', 'second']);

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
    await using second = await start(stage, {}, token);
    expect(await answered(stage, 'settings', chat.id)).toMatchObject({ content: 'alice warm 12' });
    expect([...bot.all('log'), ...second.all('log')]).toEqual([]);
  });

  test('BOTSDK-2: timelines are handled in parallel, one message at a time in each', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { id } = await inGroup(stage);
    const [first, second, elsewhere] = [
      await stage.say('stream a'),
      await stage.say('stream b'),
      await stage.say(`@${stage.account.username} stream c`, id),
    ];
    await bot.report('reading', ({ source }) => source === 'c');
    expect(bot.all('reading').map(({ source }) => source)).toEqual(['a', 'c']);
    for (const source of ['c', 'b', 'a']) {
      bot.write(source, `from ${source}`);
      bot.end(source);
    }
    expect(await stage.answerTo(elsewhere)).toMatchObject({ content: 'from c' });
    expect(await stage.answerTo(first)).toMatchObject({ content: 'from a' });
    expect(await stage.answerTo(second)).toMatchObject({ content: 'from b' });
  });

  test('BOTSDK-2: a bot with too many waiting messages answers that it is busy', async () => {
    await using scene = await played({ turnsAtOnce: 1, turnsWaiting: 1 });
    const { stage, bot } = scene;
    const [one, two, three] = [await stage.say('stream a'), await stage.say('two'), await stage.say('three')];
    expect(await stage.answerTo(three)).toMatchObject({ status: 'failed', content: expect.stringContaining('busy') });
    bot.write('a', 'one');
    bot.end('a');
    expect(await stage.answerTo(one)).toMatchObject({ content: 'one' });
    expect(await stage.answerTo(two)).toMatchObject({ content: 'two, alice' });
  });

  test('BOTSDK-3: an answer continues when the connection was lost, and a message is answered once', async () => {
    await using stage = await BotStage.start();
    await using bot = await start(stage, {}, stage.account.token, stage.proxy.url);
    const asked = await stage.say('stream a');
    bot.write('a', 'before ');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'before ');
    stage.proxy.takeDown();
    bot.write('a', 'meanwhile ');
    const late = await stage.alice.api.sendMessage({ chat_id: stage.chatId, text: 'late' });
    stage.proxy.heal();
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'meanwhile ');
    bot.write('a', 'after');
    bot.end('a');
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'before meanwhile after', status: 'complete' });
    expect(await stage.answerTo(late)).toMatchObject({ content: 'late, alice' });
    expect(bot.all('message').map(({ text }) => text)).toEqual(['stream a', 'late']);
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-3: of two daemons one answers, and the other does not read its source', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    await using second = await start(stage);
    const asked = await stage.say('stream a');
    await stage.placeholderOf(asked);
    for (const daemon of [bot, second]) {
      daemon.write('a', 'text');
      daemon.end('a');
    }
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'text', status: 'complete' });
    // Each has finished with the message before it takes the next one.
    const next = await stage.say('next');
    await stage.answerTo(next);
    for (const daemon of [bot, second]) await daemon.report('message', ({ text }) => text === 'next');
    expect([...bot.all('reading'), ...second.all('reading')]).toHaveLength(1);
    expect(await stage.history()).toHaveLength(4);
    expect([...bot.all('log'), ...second.all('log')]).toEqual([]);
  });

  test('BOTSDK-4: the next daemon answers what was missed, nothing twice, and nothing of long ago', async () => {
    await using stage = await BotStage.start();
    const missed = await stage.say('while away');
    await using first = await start(stage);
    expect(await stage.answerTo(missed)).toMatchObject({ content: 'while away, alice' });
    await first.kill();
    await using second = await start(stage);
    await answered(stage, 'next');
    expect(second.all('message').map(({ text }) => text)).toEqual(['next']);
    await second.kill();
    await stage.say('long ago');
    await using third = await start(stage, { aheadS: 11 * 60 });
    await answered(stage, 'now');
    expect(third.all('message').map(({ text }) => text)).toEqual(['now']);
  });

  test('BOTSDK-4: a bot reconnects after a restart of the service', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    await answered(stage, 'before');
    await stage.world.restart();
    const socket = await stage.alice.socket();
    expect(await stage.answerTo(await stage.say('after'), socket)).toMatchObject({ content: 'after, alice' });
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-5: an answer is shown while it is written, and no piece ends within a character', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const asked = await stage.say('stream a');
    bot.write('a', 'a\uD83D');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'a');
    bot.write('a', '\uDE00b');
    await stage.socket.event('messageDelta', ({ delta }) => delta === '😀b');
    bot.write('a', '\uD83D');
    bot.end('a');
    const usage = { input_tokens: 3, output_tokens: 4 };
    const content = 'a😀b\uFFFD';
    expect(await stage.answerTo(asked)).toMatchObject({ content, status: 'complete', usage });
    expect(await bot.report('answered')).toMatchObject({ text: content });
    const flood = await answered(stage, 'flood');
    expect([flood.content.length, flood.status]).toEqual([256 * 1024, 'complete']);
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-6: an answer continues after a crash of the service from the text that survived', async () => {
    await using stage = await BotStage.start({ expectsErrors: true });
    await using bot = await start(stage);
    const asked = await stage.say('stream a');
    bot.write('a', 'first ');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'first ');
    bot.write('a', 'lost 😀 ');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'lost 😀 ');
    await stage.world.crash();
    const socket = await stage.alice.socket();
    bot.write('a', 'and on');
    await socket.event('messageNew', ({ reply_to_id, content }) => reply_to_id === asked.id && content.endsWith('on'));
    bot.end('a');
    expect(await stage.answerTo(asked, socket)).toMatchObject({ content: 'first lost 😀 and on', status: 'complete' });
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-7: an answer whose source fails ends as failed with the text so far', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    bot.write('a', 'as far as');
    bot.fail('a', 'the model broke');
    expect(await answered(stage, 'stream a')).toMatchObject({ content: 'as far as', status: 'failed' });
    bot.fail('b', 'nothing came');
    const empty = await answered(stage, 'stream b');
    expect(empty).toMatchObject({ content: expect.stringMatching(/Something went wrong/), status: 'failed' });
    expect(await answered(stage, 'fine')).toMatchObject({ content: 'fine, alice' });
    expect(bot.all('log').map(({ line }) => line)).toEqual([
      expect.stringContaining('the model broke'),
      expect.stringContaining('nothing came'),
    ]);
  });

  test('BOTSDK-8: an answer that is deleted is stopped', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const asked = await stage.say('stream a');
    bot.write('a', 'text');
    const { id } = await stage.placeholderOf(asked);
    await stage.alice.api.deleteMessages({ message_ids: [id] });
    await bot.report('stopped');
    expect(await answered(stage, 'next')).toMatchObject({ content: 'next, alice' });
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-9: the asker and the owner can stop an answer; another member gets an alert', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { id: chat_id, members } = await inGroup(stage, 'bob', 'eve');
    const [bob, eve] = members;
    if (!bob || !eve) throw new Error('nobody is there');
    for (const person of [bob, stage.alice]) {
      const source = person.username;
      const asked = await stage.say(`@${stage.account.username} stream ${source}`, chat_id, bob);
      bot.write(source, 'some text');
      await stage.socket.event('messageDelta', ({ delta }) => delta === 'some text');
      const { id: message_id } = await stage.placeholderOf(asked);
      await person.api.stopRun({ chat_id, message_id });
      expect(await stage.answerTo(asked)).toMatchObject({ content: 'some text', status: 'cancelled' });
      await bot.report('stopped', (report) => report['source'] === source);
    }
    const asked = await stage.say(`@${stage.account.username} stream c`, chat_id, bob);
    bot.write('c', 'one');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'one');
    const socket = await eve.socket();
    await eve.api.stopRun({ chat_id });
    expect(await socket.event('alert')).toMatchObject({ level: 'error', from: { username: stage.account.username } });
    bot.write('c', ' two');
    await stage.socket.event('messageDelta', ({ delta }) => delta === ' two');
    bot.end('c');
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'one two', status: 'complete' });
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-9: a stop without a message ends running and waiting answers; an empty one disappears', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const asked = await stage.say('stream a');
    await stage.say('stream b');
    const { id } = await stage.placeholderOf(asked);
    await bot.report('reading');
    await stage.alice.api.stopRun({ chat_id: stage.chatId });
    await stage.socket.event('messageDeleted', ({ ids }) => ids.includes(id));
    expect(await answered(stage, 'last')).toMatchObject({ content: 'last, alice' });
    expect(bot.all('message').map(({ text }) => text)).toEqual(['stream a', 'last']);
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-11: after kill -9 the next daemon answers nothing twice, and the asker can stop what is open', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const asked = await stage.say('stream a');
    bot.write('a', 'so far');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'so far');
    await bot.kill();
    await using next = await start(stage, { holdsTime: true });
    const { id: message_id } = await stage.placeholderOf(asked);
    await stage.alice.api.stopRun({ chat_id: stage.chatId, message_id });
    await answered(stage, 'hello');
    // Another daemon would end its own reply; the reply is open until the time for that is over.
    const reply = async () => (await stage.alice.api.getMessages({ message_ids: [message_id] })).items[0];
    expect(await reply()).toMatchObject({ status: 'streaming' });
    await expect
      .poll(() => {
        next.elapse();
        return reply();
      })
      .toMatchObject({ content: 'so far', status: 'cancelled' });
    expect(next.all('message').map(({ text }) => text)).toEqual(['hello']);
    expect(next.all('log')).toEqual([]);
  });

  test('BOTSDK-13: suggestions arrive while a user types; a handler that fails suggests nothing', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { alice, account, chatId } = stage;
    const ask = async (query: string) =>
      (await alice.api.queryInline({ bot_username: account.username, chat_id: chatId, query })).results;
    expect(await ask('tea')).toEqual(['tea for alice']);
    expect(await ask('bad')).toEqual([]);
    expect(await ask('much')).toHaveLength(50);
    expect(bot.all('log').map(({ line }) => line)).toEqual([
      expect.stringContaining('no idea'),
      expect.stringContaining('10 suggestions were left out'),
    ]);
  });

  test('BOTSDK-14: an error in a handler is logged and answered, and middleware can answer itself', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    expect(await answered(stage, 'raise oh')).toMatchObject({ status: 'failed', finish_reason: 'bot' });
    expect(await answered(stage, 'skip')).toMatchObject({ content: 'not you' });
    expect(await answered(stage, 'fine')).toMatchObject({ content: 'fine, alice' });
    await bot.report('left', ({ text }) => text === 'fine');
    expect(bot.all('left').map(({ text }) => text)).toEqual(['skip', 'fine']);
    expect(bot.all('log').map(({ line }) => line)).toEqual([expect.stringContaining('oh')]);
    expect(JSON.stringify(bot.reports)).not.toContain(stage.account.token);
  });

  test('BOTSDK-14: catch receives the errors, and an error in it does no harm', async () => {
    await using scene = await played({ catches: true });
    const { stage, bot } = scene;
    expect(await answered(stage, 'raise oh')).toMatchObject({ content: 'caught oh', status: 'complete' });
    expect(await answered(stage, 'fine')).toMatchObject({ content: 'fine, alice' });
    expect(bot.all('log').map(({ line }) => line)).toEqual([expect.stringContaining('again')]);
  });

  test('BOTSDK-16: a bot that stops finishes what it can, begins nothing, and ends the rest as failed', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const asked = await stage.say('stream a');
    bot.write('a', 'text');
    await stage.socket.event('messageDelta');
    await stage.say('two');
    bot.stop(5);
    bot.write('a', ' to its end');
    bot.end('a');
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'text to its end', status: 'complete' });
    expect(await bot.ended()).toBe(0);
    expect(bot.all('message').map(({ text }) => text)).toEqual(['stream a']);

    await using second = await start(stage);
    const cut = await stage.say('stream b');
    second.write('b', 'so far');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'so far');
    second.stop(0);
    expect(await stage.answerTo(cut)).toMatchObject({ content: 'so far', status: 'failed' });
    expect(await second.ended()).toBe(0);
    expect([...second.all('log'), second.said]).toEqual(['']);
  });

  test('BOTSDK-20, BOTSDK-21: a service that cannot be used is reported once, and so is the success', async () => {
    await using stage = await BotStage.start();
    const { url } = stage.proxy;
    stage.proxy.takeDown();
    await using bot = new SuiteBotProcess(language, url, stage.account.token);
    expect(await bot.report('log')).toMatchObject({ line: expect.stringMatching(/ does not answer.*; trying again$/) });
    stage.proxy.heal();
    await bot.report('started');
    expect(bot.all('log')).toEqual([expect.anything(), { event: 'log', line: `connected to ${url}` }]);

    const answers: [line: string, answer: RequestListener][] = [
      [
        'cannot be used now: the reply with status 404 does not come from the service',
        (_, response) => response.writeHead(404).end('<h1>none</h1>'),
      ],
      [
        'cannot be used now: not from here',
        (_, response) =>
          response.writeHead(403).end('{"ok":false,"error_code":"forbidden","description":"not from here"}'),
      ],
      ['answers, but opens no WebSocket', (_, response) => response.end('{"ok":true,"result":{}}')],
    ];
    for (const [line, answer] of answers) {
      const server = createServer(answer).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // of a server that listens on TCP
      await using other = new SuiteBotProcess(language, address, stage.account.token);
      expect(await other.report('log')).toMatchObject({ line: `${address} ${line}; trying again` });
      // BOTSDK-21: it is stopped before it has connected.
      other.stop(0);
      expect(await other.report('started')).toMatchObject({ isConnected: false });
      expect(await other.ended()).toBe(0);
      server.closeAllConnections();
      await once(server.close(), 'close');
    }
  });

  test('BOTSDK-23: usage and attachments that the service refuses are left out and reported', async () => {
    await using scene = await played({ catches: true });
    const { stage, bot } = scene;
    const usage = { input_tokens: 3, output_tokens: 4 };
    expect(await answered(stage, 'usage good')).toMatchObject({ content: 'text', status: 'complete', usage });
    const missing = { id: '01900000-0000-7000-8000-000000000000', kind: 'file' };
    for (const question of ['usage bad', 'attach {"kind":"nothing"}', `attach ${JSON.stringify(missing)}`]) {
      const answer = await answered(stage, question);
      expect(answer).toMatchObject({ content: 'text', status: 'complete', attachments: [] });
      expect(answer.usage).toBeUndefined();
    }
    const errors = [/^invalid_argument/, /^invalid_argument/, /^not_found/].map((text) => expect.stringMatching(text));
    await expect.poll(() => bot.all('caught').map(({ error }) => error)).toEqual(errors);
  });

  test('BOTSDK-24: an answer that is not made of strings is a TypeError that names the type', async () => {
    await using scene = await played({ catches: true });
    const { stage, bot } = scene;
    expect(await answered(stage, 'untyped')).toMatchObject({ content: 'as far as ', status: 'failed' });
    expect(await bot.report('caught')).toMatchObject({
      type: 'TypeError',
      error: expect.stringMatching(/^an answer must be made of strings, not (Uint8Array|bytes)$/),
    });
  });

  test('BOTSDK-25: parts stand where the text was, are replaced by id, and come back after a crash', async () => {
    await using stage = await BotStage.start({ expectsErrors: true });
    await using bot = await start(stage);
    const asked = await stage.say('parts');
    bot.write('parts', ' again');
    expect(await bot.report('refused')).toMatchObject({ code: 'invalid_argument' });
    await stage.socket.event('messageDelta', ({ delta }) => delta.endsWith(' again'));
    await stage.world.crash();
    const socket = await stage.alice.socket();
    bot.write('parts', ' and on');
    bot.end('parts');
    expect(await stage.answerTo(asked, socket)).toMatchObject({
      content: 'é and more again and on',
      status: 'complete',
      parts: [
        { id: 'first', offset: 0, type: 'notice', text: 'before the answer' },
        { id: 'look', offset: 2, type: 'tool', name: 'look', output: [1], status: 'done' },
      ],
    });
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-27: a command goes to its handler alone, and the app suggests those that have a description', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    expect(await answered(stage, '/weather  Rome')).toMatchObject({ content: 'sunny in Rome' });
    expect(await answered(stage, '/Secret')).toMatchObject({ content: 'found' });
    expect(await answered(stage, '/unknown')).toMatchObject({ content: '/unknown, alice' });
    expect(bot.all('message').map(({ text }) => text)).toEqual(['/unknown']);
    const { items } = await stage.alice.api.getBotCommands({ chat_id: stage.chatId });
    expect(items).toMatchObject([
      {
        bot: { username: stage.account.username },
        commands: [{ command: 'weather', description: 'The weather', arguments: [{ name: 'city', required: true }] }],
      },
    ]);
    expect(bot.all('log')).toEqual([]);
  });

  test('BOTSDK-30: presses are answered once, by one daemon, also after kill -9, and can be stopped', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { alice, chatId: chat_id } = stage;
    const shop =
      '{% button action="buy:2" /%} {% button action="slow" /%} {% form id="order" %}{% input name="note" /%}{% /form %}';
    const { id: message_id } = await answered(stage, `shop ${shop}`);
    const press = (action: string, fields?: Record<string, unknown>) =>
      alice.api.sendComponentAction({ chat_id, message_id, action, ...(fields && { fields }) });
    await press('buy:2');
    expect(await stage.answerTo({ id: message_id })).toMatchObject({ content: 'alice buys 2' });

    await press('slow');
    bot.write('slow', 'so far');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'so far');
    await alice.api.stopRun({ chat_id });
    await stage.socket.event(
      'messageComplete',
      ({ content, status }) => content === 'so far' && status === 'cancelled',
    );
    await bot.report('stopped');

    await bot.kill();
    await press('form_submit:order', { note: 'late' });
    await using first = await start(stage);
    await using second = await start(stage);
    await stage.socket.event('messageComplete', ({ content }) => content === 'Noted: late');
    await answered(stage, 'last');
    for (const daemon of [first, second]) await daemon.report('message', ({ text }) => text === 'last');
    const answers = (await stage.history()).filter(({ reply_to_id }) => reply_to_id === message_id);
    expect(answers.map(({ content }) => content)).toEqual(['alice buys 2', 'so far', 'Noted: late']);
    expect([...bot.all('log'), ...first.all('log'), ...second.all('log')]).toEqual([]);
  });

  /** What people are asked, as text of a message to the bot. */
  const yes = {
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'nothing', label: 'Nothing' },
    ],
  };
  const asking = (question: object) => `ask ${JSON.stringify(question)}`;
  const questionOf = (stage: BotStage, { id }: { id: string }, before = '') =>
    stage.socket.event('messageNew', (one) => one.reply_to_id === id && !!one.decision && one.id !== before);
  /** The texts that the bot has written, but for questions. */
  const written = async (stage: BotStage, chatId?: string) =>
    (await stage.history(chatId))
      .filter(({ sender, decision }) => sender.username === stage.account.username && !decision)
      .map(({ content }) => content);

  test('BOTSDK-37: a handler asks, and goes on with the answer, while its timeline is free for others', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { alice } = stage;
    const form = [{ key: 'count', label: 'Count', type: 'number', required: true }];
    const question = { text: 'How many?', form, deciders: ['alice'], expires_in: 86_400 };
    const asked = await stage.say(asking(question));
    const { id, decision } = await questionOf(stage, asked);
    expect(decision).toMatchObject({
      state: 'open',
      deciders: ['alice'],
      options: [{ id: 'submit' }, { id: 'decline' }],
    });
    expect(await answered(stage, 'meanwhile')).toMatchObject({ content: 'meanwhile, alice' });
    await alice.api.decide({ decision_id: id, fields: { count: 2 } });
    expect((await stage.answerTo(asked)).content).toBe('decided submit {"count":2} alice');
    for (const end of [
      async (decision_id: string) => alice.api.withdrawDecision({ decision_id }),
      async (message_id: string) => alice.api.deleteMessages({ message_ids: [message_id] }),
    ]) {
      const other = await stage.say(asking(question));
      await end((await questionOf(stage, other)).id);
      expect((await stage.answerTo(other)).content.trim()).toBe('withdrawn  {}');
    }
    expect([bot.all('log'), bot.said]).toEqual([[], '']);
  });

  test('BOTSDK-38: after kill -9 the next daemon goes on with the answer, and nothing is written twice', async () => {
    await using stage = await BotStage.start();
    const first = await start(stage);
    const [before, after] = [await stage.say(asking({ first: 'I look.', text: 'Sure?', ...yes })), stage.chatId];
    const { id } = await questionOf(stage, before);
    await first.kill();
    await stage.alice.api.decide({ decision_id: id, option: 'yes' });
    await using second = await start(stage);
    await stage.socket.event('messageComplete', ({ content }) => content === 'done');
    expect(await written(stage, after)).toEqual(['I look.', 'decided yes {} alice', 'done']);
    expect(await second.report('first')).toMatchObject({ text: 'I look.' });

    // A stop is as good as a kill, and the answer may come when the next daemon runs.
    const again = await stage.say(asking({ text: 'Sure?', ...yes }));
    const { id: later } = await questionOf(stage, again);
    second.stop(0);
    await second.ended();
    await using third = await start(stage);
    await stage.alice.api.decide({ decision_id: later, option: 'yes' });
    expect((await stage.answerTo(again)).content).toBe('decided yes {} alice');
    await answered(stage, 'last');
    expect(third.all('going on')).toHaveLength(1);
    expect((await stage.history()).filter(({ decision }) => decision)).toHaveLength(2);
    const all = [first, second, third];
    expect(all.flatMap((bot) => [...bot.all('log'), bot.said])).toEqual(['', '', '']);
  });

  test('BOTSDK-39: of two daemons one goes on, and an answer without a text leaves nothing', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    await using second = await start(stage);
    const daemons = [bot, second];
    const asked = await stage.say(asking({ text: 'Sure?', ...yes }));
    const { id } = await questionOf(stage, asked);
    for (const daemon of daemons) await daemon.report('asking');
    await stage.alice.api.decide({ decision_id: id, option: 'nothing' });
    const { id: open } = await stage.socket.event('messageNew', ({ status }) => status === 'streaming');
    await stage.socket.event('messageDeleted', ({ ids }) => ids.includes(open));
    // Nobody goes on later either.
    await bot.kill();
    await using third = await start(stage);
    await answered(stage, 'next');
    expect([...daemons, third].flatMap((daemon) => daemon.all('going on'))).toHaveLength(1);
    expect(await written(stage)).toEqual(['next, alice']);
    expect([...daemons, third].flatMap((daemon) => daemon.all('log'))).toEqual([]);
  });

  test('BOTSDK-40: a handler that asks something else when it runs again does not get the answer', async () => {
    await using stage = await BotStage.start();
    const first = await start(stage);
    const asked = await stage.say(asking(yes));
    const { id } = await questionOf(stage, asked);
    await first.kill();
    await stage.alice.api.decide({ decision_id: id, option: 'yes' });
    await using second = await start(stage);
    const failed = { status: 'failed', content: expect.stringMatching(/wrong/) };
    expect(await stage.answerTo(asked)).toMatchObject(failed);
    expect(second.all('going on')).toEqual([]);
    expect(await second.report('log')).toMatchObject({ line: expect.stringContaining(`not ask question ${id} again`) });
  });

  test('BOTSDK-41: questions come one after another, not within a streamed answer, and keys are unique', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const asked = await stage.say('misuse');
    const { id } = await questionOf(stage, asked);
    await stage.alice.api.decide({ decision_id: id, option: 'yes' });
    expect((await stage.answerTo(asked)).content).toBe('so far');
    expect(bot.all('refused').map(({ error }) => error)).toEqual([
      expect.stringMatching(/the key of a question is a letter/),
      expect.stringMatching(/one after another/),
      expect.stringMatching(/already asked/),
      expect.stringMatching(/options/),
      expect.stringMatching(/being streamed/),
    ]);
  });

  test('BOTSDK-42: the handler of a press asks; after a kill the bot says that it cannot go on', async () => {
    await using scene = await played();
    const { stage, bot } = scene;
    const { alice, chatId: chat_id } = stage;
    const { id: message_id } = await answered(stage, 'shop {% button action="ask" /%}');
    await alice.api.sendComponentAction({ chat_id, message_id, action: 'ask' });
    const question = await questionOf(stage, { id: message_id });
    await bot.kill();
    await alice.api.decide({ decision_id: question.id, option: 'yes' });
    await using next = await start(stage);
    const failed = { status: 'failed', content: expect.stringMatching(/begin again/) };
    expect(await stage.answerTo(question)).toMatchObject(failed);
    expect([...next.all('log'), ...next.all('asking')]).toEqual([]);
  });
}
