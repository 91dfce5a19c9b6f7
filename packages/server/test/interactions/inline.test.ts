import { type Actor, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';

/** A group of alice and bob with alice's bot. */
async function groupWithBot(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const ask = (who: Actor, query?: string) =>
    who.api.queryInline({ chat_id, bot_username: bot.username, ...(query !== undefined && { query }) });
  return { alice, bob, bot, chat_id, ask };
}

test('INLINE-1: a query goes only to the bot’s sockets, and its answer to the asker', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, ask } = await groupWithBot(world);
  const [ofBot, ofBob, ofOwner] = [await bot.socket('nodrafts'), await bob.socket(), await alice.socket()];
  const asked = ask(bob, 'weather');
  const { query_id, ...rest } = await ofBot.event('inlineQuery');
  const from = { username: 'bob', kind: 'human', display_name: 'bob' };
  expect(rest).toEqual({ conversation_id: chat_id, query: 'weather', from });
  const results = ['sunny', '{% card title="Rain" /%}'];
  expect(await bot.api.answerInlineQuery({ query_id, results })).toBeUndefined();
  expect(await asked).toEqual({ results });
  await world.settle();
  expect([...ofBob.frames, ...ofOwner.frames]).toEqual([]);
});

test('INLINE-1: a query may be empty, and so may its answer', async () => {
  await using world = await createWorld();
  const { bob, bot, ask } = await groupWithBot(world);
  const ofBot = await bot.socket();
  const asked = ask(bob);
  const { query_id, query } = await ofBot.event('inlineQuery');
  expect(query).toBe('');
  await ofBot.rpc('answerInlineQuery', { query_id });
  expect(await asked).toEqual({ results: [] });
});

test('INLINE-1: if a bot does not answer within 3 s the asker gets no results, and the query id is no longer valid', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, bot, ask } = await groupWithBot(world);
  const ofBot = await bot.socket();
  const asked = ask(bob);
  const { query_id } = await ofBot.event('inlineQuery');
  await clock.advance(3_000);
  expect(await asked).toEqual({ results: [] });
  await expect(bot.api.answerInlineQuery({ query_id, results: ['late'] })).rejects.toMatchObject({ status: 404 });
});

test('INLINE-2: a query to a bot without a socket, or to a provider agent, returns immediately', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, bot, chat_id, ask } = await groupWithBot(world);
  expect(await ask(bob, 'x')).toEqual({ results: [] });
  const socket = await bot.socket();
  await socket.close();
  await world.settle();
  expect(await ask(bob, 'x')).toEqual({ results: [] });
  await alice.api.addGroupAgent({ chat_id, agent_username: 'alice:provider_a' });
  expect(await bob.api.queryInline({ chat_id, bot_username: 'alice:provider_a' })).toEqual({ results: [] });
  expect((await bot.api.getUpdates({ since: 0 })).frames).toEqual([]);
});

test('INLINE-3: queryInline checks the conversation (404), the caller (403), the account (404), that it is an agent (400) and takes part (404)', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id } = await groupWithBot(world);
  const { carol } = await world.people('carol');
  await bot.socket();
  const elsewhere = await world.bot(alice, 'elsewhere');
  const bot_username = bot.username;
  await expect(bob.api.queryInline({ chat_id: unknownId, bot_username })).rejects.toMatchObject({ status: 404 });
  await expect(carol.api.queryInline({ chat_id, bot_username })).rejects.toMatchObject({ status: 403 });
  const ask = (username: string) => bob.api.queryInline({ chat_id, bot_username: username });
  await expect(ask('alice:nothing')).rejects.toMatchObject({ status: 404, description: 'not found: agent' });
  await expect(ask('alice')).rejects.toMatchObject({ status: 400, parameters: { field: 'bot_username' } });
  await expect(ask(elsewhere.username)).rejects.toMatchObject({ status: 404, description: 'not found: agent' });
});

test('INLINE-4: only bots can answer (403), only their own queries, and each query once (404)', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, ask } = await groupWithBot(world);
  const foreign = await world.bot(alice, 'foreign');
  const ofBot = await bot.socket();
  const asked = ask(bob);
  const { query_id } = await ofBot.event('inlineQuery');
  const none = { status: 404, code: 'not_found', description: 'not found: inline query' };
  for (const human of [alice, bob])
    await expect(human.api.answerInlineQuery({ query_id })).rejects.toMatchObject({ status: 403 });
  await expect(foreign.api.answerInlineQuery({ query_id })).rejects.toMatchObject(none);
  await bot.api.answerInlineQuery({ query_id: query_id.toUpperCase(), results: ['mine'] });
  await expect(bot.api.answerInlineQuery({ query_id })).rejects.toMatchObject(none);
  expect(await asked).toEqual({ results: ['mine'] });
});

test('INLINE-5: a newer query of the same asker ends the older one with no results', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, bot, ask } = await groupWithBot(world);
  const ofBot = await bot.socket();
  const older = ask(bob, 'w');
  const first = await ofBot.event('inlineQuery', ({ query }) => query === 'w');
  const other = ask(alice, 'w');
  const newer = ask(bob, 'we');
  expect(await older).toEqual({ results: [] });
  await expect(bot.api.answerInlineQuery({ query_id: first.query_id })).rejects.toMatchObject({ status: 404 });
  const second = await ofBot.event('inlineQuery', ({ query }) => query === 'we');
  await bot.api.answerInlineQuery({ query_id: second.query_id, results: ['weather'] });
  expect(await newer).toEqual({ results: ['weather'] });
  const third = await ofBot.event('inlineQuery', ({ from }) => from.username === 'alice');
  await bot.api.answerInlineQuery({ query_id: third.query_id, results: ['hers'] });
  expect(await other).toEqual({ results: ['hers'] });
});

test('INLINE-6: a fourth waiting query of one person ends the oldest with no results, whichever bots they go to', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice } = await world.people('alice');
  const asked: Promise<{ results: string[] }>[] = [];
  for (const slug of ['one', 'two', 'three', 'four']) {
    const bot = await world.bot(alice, slug);
    const chat = await world.direct(alice, bot);
    const socket = await bot.socket();
    asked.push(alice.api.queryInline({ chat_id: chat.id, bot_username: bot.username }));
    await socket.event('inlineQuery');
  }
  expect(await asked[0]).toEqual({ results: [] });
  expect(world.sum(({ inlineQueries }) => inlineQueries.size)).toBe(3);
  await clock.advance(3_000);
  expect((await Promise.all(asked)).flatMap(({ results }) => results)).toEqual([]);
});

test.each(['', 'nodrafts'])(
  'INLINE-7: a bot that reconnects gets the queries that still wait, caps "%s"',
  async (caps) => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { bob, bot, ask } = await groupWithBot(world);
    const lost = await bot.socket(caps);
    const stays = await bot.socket(caps);
    const { head } = lost.hello;
    const asked = ask(bob, 'x');
    const { query_id } = await lost.event('inlineQuery');
    await lost.terminate();
    await stays.terminate();
    // Another node learns of the query a moment later.
    await world.settle();
    const back = await bot.socket(caps);
    expect(back.hello.head).toBeGreaterThan(head);
    const missed = await bot.api.getUpdates({ since: head, socket: back.hello.socket });
    expect(missed).toMatchObject({
      head: back.hello.head,
      frames: [{ method: 'events.inlineQuery', params: { query_id } }],
    });
    await clock.advance(2_000);
    await bot.api.answerInlineQuery({ query_id, results: ['still'] });
    expect(await asked).toEqual({ results: ['still'] });
    const after = await bot.api.getUpdates({ since: head, socket: back.hello.socket });
    expect(after).toEqual({ frames: [], head: back.hello.head });
  },
);

test('INLINE-7: a query that has ended is not replayed, and queries are not stored', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, bot, ask } = await groupWithBot(world);
  const socket = await bot.socket();
  const asked = ask(bob, 'never sent');
  await socket.event('inlineQuery');
  await clock.advance(3_000);
  await asked;
  expect((await bot.api.getUpdates({ since: socket.hello.head })).frames).toEqual([]);
  expect(await rowsIn(world, "events WHERE params LIKE '%never sent%'")).toBe(0);
});

test('INLINE-8: at most 50 results of 4 KiB, and a query of 4 KiB', async () => {
  await using world = await createWorld();
  const { bob, bot, ask } = await groupWithBot(world);
  const ofBot = await bot.socket();
  const full = 'ä'.repeat(2_048);
  await expect(ask(bob, `${full}x`)).rejects.toMatchObject({ status: 413, code: 'too_large' });
  const asked = ask(bob, full);
  const { query_id } = await ofBot.event('inlineQuery');
  const answer = (results: string[]) => bot.api.answerInlineQuery({ query_id, results });
  await expect(answer(Array(51).fill(''))).rejects.toMatchObject({ status: 400, parameters: { field: 'results' } });
  await expect(answer(['x', `${full}x`])).rejects.toMatchObject({ status: 413, parameters: { field: 'results.1' } });
  await answer(Array(50).fill(full));
  expect((await asked).results).toEqual(Array(50).fill(full));
});

test('INLINE-9: a stopping service ends waiting queries immediately', async () => {
  await using world = await createWorld({ clock: new ManualClock() });
  const { bob, bot, ask } = await groupWithBot(world);
  const ofBot = await bot.socket();
  const asked = ask(bob);
  await ofBot.event('inlineQuery');
  await world.restart();
  expect(await asked).toEqual({ results: [] });
});
