import { type Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import type { RecordedRequest } from '@parley/testing/providers/fake-providers.ts';
import { describe, expect, test } from 'vitest';
import { keyedAgent } from '../helpers/agents.ts';

const usage = { input: 30, output: 10 };
const reply = { chunks: ['It is in Italy.'], usage };
const titled = { chunks: ['"Where Rome is"'], usage: { input: 5, output: 2 } };

/** Whether a request asks for a title. */
const asksForTitle = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body).includes('give conversations their titles');

/** Ann's agent, which replies with `reply` and makes a title with `answer`. */
async function stage(world: World, answer: Parameters<World['providers']['script']>[1] = titled) {
  const { ann } = await world.people('ann');
  const agent = await keyedAgent(world, ann);
  world.providers.script(agent.key, (request) => {
    if (!asksForTitle(request)) return reply;
    return typeof answer === 'function' ? answer(request) : answer;
  });
  return { ann, agent, ...talk(world, ann, agent.username, agent.key) };
}

function talk(world: World, who: Actor, username: string, key: string) {
  const begin = async () => (await who.api.startChat({ username, new: true })).id;
  const titleOf = async (chat_id: string) => (await who.api.getChat({ chat_id })).title;
  /** Asks in a chat, a new one by default, and returns its title after everything has ended. */
  const ask = async (text = 'Where is **Rome**?', given?: string) => {
    const chat_id = given ?? (await begin());
    await who.api.sendMessage({ chat_id, text });
    await world.turnsEnded();
    return { chat_id, title: await titleOf(chat_id) };
  };
  const asked = () => world.providers.requestsOf(key).filter(asksForTitle);
  return { begin, ask, asked, titleOf };
}

test(
  'TITLE-1, TITLE-8: the first question names a chat with the guide or a bot; later ones do not',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const ann = await world.member('ann');
    const { ask, begin, titleOf } = talk(world, ann, 'parley:guide', '');
    const { chat_id, title } = await ask('# How do I *set* a key?\nPlease.');
    expect(title).toBe('How do I set a key?');
    expect((await ask('And then?', chat_id)).title).toBe(title);
    const other = await begin();
    const socket = await ann.socket('ext');
    await ann.api.sendMessage({ chat_id: other, text: '', attachments: [{ kind: 'news', title: 'News' }] });
    await ann.api.sendMessage({ chat_id: other, text: '', service: { kind: 'note' } });
    expect(await titleOf(other)).toBe(null);
    await Promise.all(['one', 'two'].map((text) => ann.api.sendMessage({ chat_id: other, text })));
    await world.turnsEnded();
    expect(['one', 'two']).toContain(await titleOf(other));
    const updates = socket.all('conversationUpdated').filter((change) => change.title !== undefined);
    expect(updates).toEqual([{ conversation_id: other, title: await titleOf(other) }]);
  },
);

test('TITLE-2, TITLE-6: after the first reply the model is asked once, with the exchange as data and the turn’s key', async () => {
  await using world = await createWorld();
  const { ann, agent, ask, asked } = await stage(world);
  await ann.api.setBotConfig({ username: agent.username, config: { model: 'm-1', system_prompt: 'Be a pirate.' } });
  const socket = await ann.socket('ext');
  const { chat_id, title } = await ask();
  expect(title).toBe('Where Rome is');
  const titles = socket.all('conversationUpdated').flatMap((change) => change.title ?? []);
  expect(titles).toEqual(['Where is Rome?', 'Where Rome is']);
  const [request] = asked();
  expect(request?.body).toMatchObject({
    model: 'm-1',
    max_tokens: 1_024,
    messages: [{ role: 'user' }],
  });
  const body = JSON.stringify(request?.body);
  expect(body).not.toContain('pirate');
  expect(body).toContain(
    JSON.stringify(JSON.stringify({ question: 'Where is **Rome**?', reply: 'It is in Italy.' })).slice(1, -1),
  );
  await ask('And Paris?', chat_id);
  expect(asked()).toHaveLength(1);
  const [item] = (await ann.api.getUsage({})).items;
  expect(item).toMatchObject({ input_tokens: 65, output_tokens: 22, owner_key_tokens: 87, replies: 2 });
  expect((await ann.api.getChatHistory({ chat_id })).items[1]?.usage).toEqual({ input_tokens: 30, output_tokens: 10 });
});

test.each([
  ['an answer of two lines', { chunks: ['Sure!\n\nRome'] }],
  ['a long answer', { chunks: ['x'.repeat(61)] }],
  ['an endless answer', { chunks: Array.from({ length: 50 }, () => 'word '.repeat(100)), ending: 'hang' as const }],
  ['an answer that was cut off', { chunks: ['Rome'], finish: 'max_tokens' }],
  ['an empty answer', {}],
  ['an error', { status: 400 }],
  ['an error in the stream', { chunks: ['Rome'], ending: 'error' as const }],
])('TITLE-3: %s leaves the first title, and nobody is told', async (_what, answer) => {
  await using world = await createWorld();
  const { ann, ask, asked } = await stage(world, answer);
  const socket = await ann.socket('ext');
  expect((await ask()).title).toBe('Where is Rome?');
  expect(asked().length).toBeGreaterThan(0);
  expect(socket.all('alert')).toEqual([]);
});

test('TITLE-3, TITLE-4: a model that does not answer is given up after 30 s; the next reply does not wait for it', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, begin, asked, titleOf } = await stage(world, { unanswered: true });
  const socket = await ann.socket();
  const chat_id = await begin();
  for (const text of ['Where is Rome?', 'And Paris?']) {
    await ann.api.sendMessage({ chat_id, text });
    await socket.event('messageComplete');
  }
  while (asked().length === 0) await world.settle();
  await clock.advance(30_000);
  await asked()[0]?.closed;
  await world.turnsEnded();
  expect(await titleOf(chat_id)).toBe('Where is Rome?');
  expect(asked()).toHaveLength(1);
});

describe('TITLE-4: the request is made at most once', () => {
  test('TITLE-4: a crash or a stop loses it, and it is not repeated', async () => {
    await using world = await createWorld();
    const held = Promise.withResolvers<void>();
    const { ann, begin, asked, titleOf, ask } = await stage(world, { ...titled, hold: held.promise });
    for (const end of [() => world.crash(), () => world.restart()]) {
      const before = asked().length;
      const chat_id = await begin();
      await ann.api.sendMessage({ chat_id, text: 'Where is Rome?' });
      while (asked().length === before) await world.settle();
      await end();
      await ask('Again', chat_id);
      expect(await titleOf(chat_id)).toBe('Where is Rome?');
      expect(asked()).toHaveLength(before + 1);
    }
    held.resolve();
  });

  test('TITLE-4: one human has two requests at once, others are left out', async () => {
    await using world = await createWorld();
    const held = Promise.withResolvers<void>();
    const { ann, begin, asked, titleOf } = await stage(world, { ...titled, hold: held.promise });
    world.stayOnFirst();
    const socket = await ann.socket();
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      const chat_id = await begin();
      ids.push(chat_id);
      await ann.api.sendMessage({ chat_id, text });
      await socket.event('messageComplete', ({ conversation_id }) => conversation_id === chat_id);
      while (asked().length < Math.min(ids.length, 2)) await world.settle();
    }
    await world.settle();
    held.resolve();
    await world.turnsEnded();
    expect(await Promise.all(ids.map(titleOf))).toEqual(['Where Rome is', 'Where Rome is', 'three']);
  });
});

describe('TITLE-5: who allows and pays for titles', () => {
  test('TITLE-5: the owner turns titles off, for everyone, and only the owner sees the setting', async () => {
    await using world = await createWorld();
    const { ann, agent, ask, asked } = await stage(world);
    const { bob } = await world.people('bob');
    const { username } = agent;
    expect((await ann.api.getMyBotConfig({ username })).titles).toBe(true);
    expect((await ann.api.setBotConfig({ username, titles: false })).titles).toBe(false);
    expect((await ann.api.getAgent({ username })).titles).toBe(false);
    const { chat_id, title } = await ask();
    expect(title).toBe('Where is Rome?');
    expect(asked()).toEqual([]);
    await ann.api.setBotConfig({ username, is_public: true });
    expect(await bob.api.getAgent({ username })).not.toHaveProperty('titles');
    expect((await ann.api.updateAgent({ username, titles: true })).titles).toBe(true);
    expect((await ask('Once more', chat_id)).title).toBe('Where Rome is');
  });

  test('TITLE-5: an agent that has reached its cap is not asked', async () => {
    await using world = await createWorld();
    const { ann, agent, ask, asked } = await stage(world);
    await ann.api.setBotConfig({ username: agent.username, monthly_token_cap: 40 });
    expect((await ask()).title).toBe('Where is Rome?');
    expect(asked()).toEqual([]);
  });

  test('TITLE-5, TITLE-6: on the owner’s key a guest’s title needs room for itself, and counts for the guest’s day', async () => {
    await using world = await createWorld();
    const { ann, agent, asked } = await stage(world);
    const { bob } = await world.people('bob');
    const { username, key } = agent;
    await ann.api.setBotConfig({ username, is_public: true, pays_for: 'everyone', asker_daily_tokens: 6_000 });
    const guest = talk(world, bob, username, key);
    expect((await guest.ask()).title).toBe('Where is Rome?');
    expect(asked()).toEqual([]);
    await ann.api.setBotConfig({ username, asker_daily_tokens: 200_000 });
    expect((await guest.ask()).title).toBe('Where Rome is');
    const [item] = (await ann.api.getUsage({})).items.filter((one) => one.username === 'bob' && one.input_tokens > 30);
    expect(item).toMatchObject({ input_tokens: 35, output_tokens: 12, owner_key_tokens: 47, replies: 1 });
    // With a key of his own, Bob pays.
    world.providers.script('key-of-bob', (request) => (asksForTitle(request) ? titled : reply));
    await bob.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-bob' } });
    expect((await guest.ask()).title).toBe('Where Rome is');
    expect(world.providers.requestsOf('key-of-bob').filter(asksForTitle)).toHaveLength(1);
  });

  test('TITLE-6: for a guest on the owner’s key a request without reported usage is estimated', async () => {
    await using world = await createWorld();
    const { ann, agent } = await stage(world, { chunks: ['Rome'], usage: null });
    const { bob } = await world.people('bob');
    const { username, key } = agent;
    await ann.api.setBotConfig({ username, is_public: true, pays_for: 'everyone' });
    expect((await talk(world, bob, username, key).ask()).title).toBe('Rome');
    const [item] = (await ann.api.getUsage({})).items;
    expect(item).toMatchObject({ input_tokens: 30, output_tokens: 10 });
    expect(item?.owner_key_tokens).toBeGreaterThan(40 + 90);
  });
});

test('TITLE-6: a guest’s request that runs out of time without text is estimated: the model may have thought', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, agent, asked } = await stage(world, { unanswered: true });
  const { bob } = await world.people('bob');
  const { username, key } = agent;
  await ann.api.setBotConfig({ username, is_public: true, pays_for: 'everyone' });
  const chat_id = await talk(world, bob, username, key).begin();
  await bob.api.sendMessage({ chat_id, text: 'Where is Rome?' });
  while (asked().length === 0) await world.settle();
  await clock.advance(30_000);
  await asked()[0]?.closed;
  await world.turnsEnded();
  const [item] = (await ann.api.getUsage({})).items;
  expect(item).toMatchObject({ input_tokens: 30, output_tokens: 10 });
  expect(item?.owner_key_tokens).toBeGreaterThan(40 + 90);
});

test('TITLE-7: a title that the human sets meanwhile stays, and a deleted chat gets none', async () => {
  await using world = await createWorld();
  const held = Promise.withResolvers<void>();
  const { ann, begin, asked, titleOf } = await stage(world, { ...titled, hold: held.promise });
  const ids = [await begin()];
  await ann.api.sendMessage({ chat_id: ids[0] ?? '', text: 'one' });
  ids.push(await begin());
  await ann.api.sendMessage({ chat_id: ids[1] ?? '', text: 'two' });
  while (asked().length < 2) await world.settle();
  await ann.api.setChatTitle({ chat_id: ids[0] ?? '', title: 'Mine' });
  await ann.api.deleteChat({ chat_id: ids[1] ?? '' });
  held.resolve();
  await world.turnsEnded();
  expect(await titleOf(ids[0] ?? '')).toBe('Mine');
  expect(await world.sql("SELECT title FROM chats WHERE title IN ('Where Rome is', 'two')")).toEqual([]);
});

test('TITLE-8: a bot makes the title of its chat itself', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  const bot = await world.bot(ann);
  const { ask, titleOf } = talk(world, ann, bot.username, '');
  const { chat_id, title } = await ask();
  expect(title).toBe('Where is Rome?');
  await bot.api.setChatTitle({ chat_id, title: 'Rome' });
  expect(await titleOf(chat_id)).toBe('Rome');
});

test(
  'TITLE-9: a first title is deleted with its question; the next question names the chat',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const ann = await world.member('ann');
    const { ask, titleOf } = talk(world, ann, 'parley:guide', '');
    const { chat_id, title } = await ask('My secret\nwith details');
    expect(title).toBe('My secret');
    const { items } = await ann.api.getChatHistory({ chat_id });
    await checkReplay(world, [ann], async () => {
      await ann.api.deleteMessages({ message_ids: items.slice(1).map(({ id }) => id) });
      expect(await titleOf(chat_id)).toBe('My secret');
      await ann.api.deleteMessages({ message_ids: items.map(({ id }) => id) });
    });
    expect(await titleOf(chat_id)).toBe(null);
    expect(await world.sql("SELECT 1 AS found FROM chats WHERE title LIKE '%secret%'")).toEqual([]);
    expect((await ask('Another thing', chat_id)).title).toBe('Another thing');
  },
);

test('TITLE-10: a title that a model has made goes with the question, and with the reply, that it was made of', async () => {
  await using world = await createWorld();
  const { ann, ask, titleOf } = await stage(world);
  const first = await ask();
  expect(first.title).toBe('Where Rome is');
  const messagesOf = async (chat_id: string) => (await ann.api.getChatHistory({ chat_id })).items.map(({ id }) => id);
  await ask('And Paris?', first.chat_id);
  const [question = '', , ...later] = await messagesOf(first.chat_id);
  await checkReplay(world, [ann], async () => {
    await ann.api.deleteMessages({ message_ids: later });
    expect(await titleOf(first.chat_id)).toBe('Where Rome is');
    await ann.api.deleteMessages({ message_ids: [question] });
  });
  expect(await titleOf(first.chat_id)).toBe(null);

  const second = await ask();
  const [, reply = ''] = await messagesOf(second.chat_id);
  await ann.api.deleteMessages({ message_ids: [reply] });
  expect(await titleOf(second.chat_id)).toBe('Where is Rome?');
  expect(await world.sql("SELECT 1 AS found FROM chats WHERE title = 'Where Rome is'")).toEqual([]);

  const edited = await ask();
  expect(edited.title).toBe('Where Rome is');
  const [editedId = ''] = await messagesOf(edited.chat_id);
  await checkReplay(world, [ann], async () => {
    await ann.api.editMessage({ message_id: editedId, text: 'Where is Oslo?' });
    expect(await titleOf(edited.chat_id)).toBe('Where is Oslo?');
  });
  expect(await world.sql("SELECT 1 AS found FROM chats WHERE title = 'Where Rome is'")).toEqual([]);

  // A title that the person has given stays.
  const third = await ask();
  await ann.api.setChatTitle({ chat_id: third.chat_id, title: 'Italy' });
  await ann.api.deleteMessages({ message_ids: await messagesOf(third.chat_id) });
  expect(await titleOf(third.chat_id)).toBe('Italy');
});

test(
  'TITLE-9: a first title changes with an edit of its question, and is then deleted with it',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const ann = await world.member('ann');
    const { ask, titleOf } = talk(world, ann, 'parley:guide', '');
    const { chat_id } = await ask('My secret\nwith details');
    const [question] = (await ann.api.getChatHistory({ chat_id })).items;
    const message_id = question?.id ?? '';
    await checkReplay(world, [ann], async () => {
      await ann.api.editMessage({ message_id, text: 'My *flowers*\nin bloom' });
      expect(await titleOf(chat_id)).toBe('My flowers');
      await ann.api.editMessage({ message_id, text: '---' });
      expect(await titleOf(chat_id)).toBe(null);
    });
    expect((await ask('Another thing', chat_id)).title).toBe('Another thing');
    await ann.api.editMessage({ message_id, text: 'No title' });
    expect(await titleOf(chat_id)).toBe('Another thing');
    const { items } = await ann.api.getChatHistory({ chat_id });
    await ann.api.deleteMessages({ message_ids: items.map(({ id }) => id) });
    expect(await titleOf(chat_id)).toBe(null);
  },
);

test(
  'TITLE-9: a later message with the same first line neither deletes nor changes the title',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const ann = await world.member('ann');
    const { ask, titleOf } = talk(world, ann, 'parley:guide', '');
    const { chat_id } = await ask('Hello');
    const { id: message_id } = await ann.api.sendMessage({ chat_id, text: 'Hello\nagain' });
    await world.turnsEnded();
    await ann.api.editMessage({ message_id, text: 'Something else' });
    expect(await titleOf(chat_id)).toBe('Hello');
    await ann.api.editMessage({ message_id, text: 'Hello' });
    await ann.api.deleteMessages({ message_ids: [message_id] });
    expect(await titleOf(chat_id)).toBe('Hello');
  },
);

test('TITLE-9: an answer about a question that was edited meanwhile is dropped', async () => {
  await using world = await createWorld();
  const answers = ['My secret', 'Flowers'].map((title) => ({ title, held: Promise.withResolvers<void>() }));
  const waiting = [...answers];
  const { ann, begin, asked, titleOf } = await stage(world, () => {
    const { title, held } = waiting.shift() ?? { title: '', held: Promise.withResolvers<void>() };
    return { chunks: [title], hold: held.promise };
  });
  const chat_id = await begin();
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: 'my secret is …' });
  while (asked().length < 1) await world.settle();
  await ann.api.editMessage({ message_id, text: 'my flowers' });
  // The title of the new text is asked for too.
  await ann.api.sendMessage({ chat_id, text: 'And Paris?' });
  while (asked().length < 2) await world.settle();
  answers[0]?.held.resolve();
  await asked()[0]?.closed;
  while (world.sum(({ titles }) => titles.runningCount) > 1) await world.settle();
  expect(await titleOf(chat_id)).toBe('my flowers');
  answers[1]?.held.resolve();
  await world.turnsEnded();
  expect(await titleOf(chat_id)).toBe('Flowers');
});

test('TITLE-9: an answer about a deleted question is dropped, also if the model is asked about the next one', async () => {
  await using world = await createWorld();
  const answers = ['My secret', 'Paris'].map((title) => ({ title, held: Promise.withResolvers<void>() }));
  const waiting = [...answers];
  const { ann, begin, asked, titleOf } = await stage(world, () => {
    const { title, held } = waiting.shift() ?? { title: '', held: Promise.withResolvers<void>() };
    return { chunks: [title], hold: held.promise };
  });
  const chat_id = await begin();
  const ask = async (text: string, n: number) => {
    const { id } = await ann.api.sendMessage({ chat_id, text });
    while (asked().length < n) await world.settle();
    return id;
  };
  const id = await ask('my secret is …', 1);
  await ann.api.deleteMessages({ message_ids: [id] });
  await ask('And Paris?', 2);
  answers[0]?.held.resolve();
  await asked()[0]?.closed;
  while (world.sum(({ titles }) => titles.runningCount) > 1) await world.settle();
  expect(await titleOf(chat_id)).toBe('And Paris?');
  answers[1]?.held.resolve();
  await world.turnsEnded();
  expect(await titleOf(chat_id)).toBe('Paris');
});
