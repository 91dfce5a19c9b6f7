import { ApiError } from '@parley/client';
import { createWorld, ManualClock } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test, vi } from 'vitest';
import { frame, opcode, RawSocket } from '../helpers/raw-socket.ts';

/** `ok`, or the code of the refusal. */
const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );

const RATES = { RATE_LIMITS: '1', RATE_MESSAGES_PER_S: '1', RATE_MESSAGES_BURST: '2' };

embeddedTest('several nodes take their rates from the clock of Redis')(
  'LIMIT-1: a press that posts a confirmation counts as a message; one that posts nothing counts as another write',
  async () => {
    const clock = new ManualClock();
    const env = { ...RATES, RATE_WRITES_BURST: '30', RATE_WRITES_PER_S: '1' };
    await using world = await createWorld({ clock, env });
    const { alice, bob } = await world.people('alice', 'bob');
    const bot = await world.bot(alice);
    const { id: chat_id } = await world.group(alice, bob);
    await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
    const text = ['dismiss:it', 'vote:yes', 'vote:no', 'vote:maybe', 'vote:never']
      .map((action) => `{% button action="${action}" /%}`)
      .join(' ');
    const { id: message_id } = await bot.api.sendMessage({ chat_id, text });
    const socket = await bob.socket();
    const press = (action: string) => outcome(bob.api.sendComponentAction({ chat_id, message_id, action }));
    for (let times = 0; times < 10; times += 1) expect(await press('dismiss:it')).toBe('ok');
    for (let times = 0; times < 10; times += 1) expect(await press('vote:yes')).toBe('ok');
    expect(await press('vote:no')).toBe('ok');
    expect(await press('vote:maybe')).toBe('rate_limited');
    expect(await outcome(bob.api.sendMessage({ chat_id, text: 'me too' }))).toBe('rate_limited');
    // A double click counts only once, over a socket too.
    const again = { chat_id, message_id, action: 'vote:yes' };
    expect(await outcome(socket.rpc('sendComponentAction', again))).toBe('ok');
    const { items } = await bob.api.getChatHistory({ chat_id });
    expect(items.filter(({ reply_to_id }) => reply_to_id === message_id)).toHaveLength(2);
    await clock.advance(1_000);
    expect(await press('vote:maybe')).toBe('ok');
    expect(await press('vote:never')).toBe('rate_limited');
    // After ten seconds the same press counts again.
    await clock.advance(10_000);
    expect([await press('vote:yes'), await press('vote:no'), await press('vote:maybe')]).toEqual([
      'ok',
      'ok',
      'rate_limited',
    ]);
    const silent: string[] = [];
    for (let times = 0; times < 40; times += 1) silent.push(await press('dismiss:it'));
    expect(silent.filter((answer) => answer === 'ok').length).toBeGreaterThan(10);
    expect(silent.at(-1)).toBe('rate_limited');
    // The author of the message has its own rate.
    const author = alice.api.sendComponentAction({ chat_id, message_id, action: 'dismiss:it' });
    expect(await outcome(author)).toBe('ok');
  },
);

test('LIMIT-1, CONFIG-11: started streams count as messages of the bot; appends do not', async () => {
  await using world = await createWorld({ clock: new ManualClock(), env: RATES });
  const alice = await world.person('alice');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.direct(alice, bot);
  const { id: message_id } = await bot.api.startMessageStream({ chat_id });
  await bot.api.sendMessage({ chat_id, text: 'by the way' });
  expect(await outcome(bot.api.startMessageStream({ chat_id }))).toBe('rate_limited');
  for (let offset = 1; offset <= 100; offset += 1)
    await bot.api.appendMessageStream({ message_id, delta: 'x', offset });
  await bot.api.finishMessageStream({ message_id });
});

test('CLUSTER-25, SOCKET-4: no write of a socket overtakes one that waits for the rate limit in Redis', async () => {
  await using world = await createWorld({
    clock: new ManualClock(),
    env: { RATE_LIMITS: '1', RATE_MESSAGES_BURST: '2' },
  });
  world.stayOnFirst();
  const { service } = world;
  if (!service.rateLimits) throw new Error('rate limits are off');
  const admit = service.rateLimits.admit.bind(service.rateLimits);
  vi.spyOn(service.rateLimits, 'admit').mockImplementation((call, now) => {
    if (call.rate !== 'messages') return undefined;
    return turnOfLoop().then(() => turnOfLoop().then(() => admit(call, now)));
  });
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const socket = await RawSocket.open(world.url, { token: 'dev:bob' });
  const call = (id: string, method: string, params: object) =>
    frame(opcode.text, JSON.stringify({ id, method, params }));
  const send = (id: string) => call(id, 'sendMessage', { chat_id, text: id });
  socket.write(
    Buffer.concat([send('one'), send('two'), send('three'), call('leave', 'leaveChat', { chat_id }), send('four')]),
  );
  expect(await socket.reply('four')).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  expect(await socket.reply('three')).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  expect(await socket.reply('leave')).toMatchObject({ ok: true });
  const { items } = await alice.api.getChatHistory({ chat_id });
  expect(items.map(({ content }) => content)).toEqual(expect.arrayContaining(['one', 'two']));
  socket.end();
});

embeddedTest('several nodes take their rates from the clock of Redis')(
  'LIMIT-1: title changes, reactions and typing of a person and its bots are refused above one shared rate',
  async () => {
    const env = { RATE_LIMITS: '1', RATE_WRITES_BURST: '20', RATE_WRITES_PER_S: '1' };
    await using world = await createWorld({ clock: new ManualClock(), env });
    const { alice, bob } = await world.people('alice', 'bob');
    const bots = [await world.bot(alice, 'one'), await world.bot(alice, 'two')];
    const { id: chat_id } = await world.direct(alice, bob);
    const { id: message_id } = await alice.api.sendMessage({ chat_id, text: 'hello' });
    const { id: empty } = await alice.api.startChat({ usernames: [], title: 'nobody else' });
    const answers: string[] = [];
    for (let at = 0; at < 15; at += 1) {
      answers.push(await outcome(alice.api.setChatTitle({ chat_id: empty, title: `t${at}` })));
      answers.push(await outcome(alice.api.setMessageReaction({ message_id, emoji: '👍' })));
      answers.push(await outcome(alice.api.sendChatAction({ chat_id, action: 'typing' })));
    }
    const admitted = answers.filter((answer) => answer === 'ok').length;
    expect(admitted).toBeGreaterThanOrEqual(12);
    expect(admitted).toBeLessThanOrEqual(20);
    expect(answers.slice(20)).toEqual(Array<string>(25).fill('rate_limited'));
    for (const bot of bots) expect(await outcome(bot.api.updateProfile({ display_name: 'Bot' }))).toBe('rate_limited');
    // Messages have their own rate, other people are not affected, and the owner can still end a bot's access.
    expect(await outcome(alice.api.sendMessage({ chat_id, text: 'still here' }))).toBe('ok');
    expect(await outcome(bob.api.setMessageReaction({ message_id, emoji: '👍' }))).toBe('ok');
    expect(await outcome(alice.api.rotateBotToken({ username: bots[0]?.username ?? '' }))).toBe('ok');
  },
);

embeddedTest('several nodes take their rates from the clock of Redis')(
  'LIMIT-2: createWebhook, which makes a picture, has the rate of uploads',
  async () => {
    const env = { RATE_LIMITS: '1', RATE_UPLOADS_BURST: '2', RATE_UPLOADS_PER_S: '1' };
    await using world = await createWorld({ clock: new ManualClock(), env });
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.group(alice, bob);
    for (let at = 0; at < 2; at += 1) await alice.api.createWebhook({ chat_id });
    expect(await outcome(alice.api.createWebhook({ chat_id }))).toBe('rate_limited');
  },
);
