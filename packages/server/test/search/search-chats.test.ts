import { type Actor, createWorld } from '@parley/testing';
import { HeldReads } from '@parley/testing/stores/slow-reads.ts';
import { expect, test } from 'vitest';

type Asked = Parameters<Actor['api']['searchChats']>[0];

const ids = async (actor: Actor, asked: Asked): Promise<string[]> =>
  (await actor.api.searchChats(asked)).items.map(({ id }) => id);

const titles = async (actor: Actor, asked: Asked): Promise<(string | null)[]> =>
  (await actor.api.searchChats(asked)).items.map(({ title }) => title);

test('SEARCH-16: searchChats finds groups and separate chats by title, direct chats by the partner’s names', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  await bob.api.updateProfile({ display_name: 'Ólafur Björn' });
  const group = await ann.api.startChat({ usernames: ['bob'], title: 'Harbour walk' });
  const direct = await ann.api.startChat({ username: 'bob' });
  const own = await ann.api.startChat({ username: 'ann' });
  const bot = await world.bot(ann, 'guide');
  const first = await ann.api.startChat({ username: bot.username });
  const separate = await ann.api.startChat({ username: bot.username, new: true });
  await ann.api.setChatTitle({ chat_id: separate.id, title: 'Rome in May' });
  await cleo.api.startChat({ usernames: [], title: 'Harbour secrets' });

  for (const query of ['harbour walk', 'HARB', 'walk harb', ' wal '])
    expect(await ids(ann, { query })).toEqual([group.id]);
  for (const query of ['bjorn', 'BJÖRN olaf', 'bob']) expect(await ids(ann, { query })).toEqual([direct.id]);
  expect(await ids(ann, { query: 'ann' })).toContain(own.id);
  expect(await ids(ann, { query: 'guide' })).toEqual([first.id]);
  expect(await ids(ann, { query: 'may rome' })).toEqual([separate.id]);
  for (const query of ['arbour', 'harbour rome', 'secrets', '?!']) expect(await ids(ann, { query })).toEqual([]);
  // The partner finds the same conversation under the caller's name, and as its own record.
  expect((await bob.api.searchChats({ query: 'ann' })).items).toEqual([await bob.api.getChat({ chat_id: direct.id })]);
});

test('SEARCH-16: in scripts without spaces characters are found anywhere in a name', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  const { id } = await ann.api.startChat({ usernames: [], title: '東京旅行' });
  expect(await ids(ann, { query: '旅行' })).toEqual([id]);
  expect(await ids(ann, { query: '大阪' })).toEqual([]);
});

test('SEARCH-16: a new name counts at once, a former member and the names of a deleted account find nothing', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await ann.api.startChat({ usernames: ['bob'], title: 'Harbour' });
  await ann.api.setChatTitle({ chat_id, title: 'Lighthouse' });
  expect(await ids(bob, { query: 'harbour' })).toEqual([]);
  expect(await ids(bob, { query: 'lighthouse' })).toEqual([chat_id]);
  await ann.api.removeMember({ chat_id, username: 'bob' });
  expect(await ids(bob, { query: 'lighthouse' })).toEqual([]);

  const leaver = await world.member('leaver');
  await leaver.api.updateProfile({ display_name: 'Lena' });
  await ann.api.startChat({ username: 'leaver' });
  for (const query of ['leaver', 'lena']) expect(await ids(ann, { query })).toHaveLength(1);
  await leaver.api.deleteAccount({ password: 'correct horse battery staple' });
  for (const query of ['leaver', 'lena']) expect(await ids(ann, { query })).toEqual([]);
});

test('SEARCH-17: the best match comes first, among equal ones the newest activity; limit is at most 50', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  const start = async (title: string): Promise<string> => (await ann.api.startChat({ usernames: [], title })).id;
  const older = await start('Project 70');
  for (const title of ['Project 7', 'Old project, 7 people', 'Project 7 Delta', 'Project 71']) await start(title);
  await ann.api.sendMessage({ chat_id: older, text: 'hello' });
  const best = ['Project 7', 'Project 7 Delta', 'Project 70', 'Project 71', 'Old project, 7 people'];
  expect(await titles(ann, { query: 'project 7' })).toEqual(best);
  expect(await titles(ann, { query: 'project 7', limit: 2 })).toEqual(best.slice(0, 2));
  for (let at = 0; at < 60; at += 1) await start(`Numbered ${at}`);
  expect(await titles(ann, { query: 'numbered' })).toHaveLength(20);
  expect(await titles(ann, { query: 'numbered', limit: 1_000 })).toHaveLength(50);
});

test('SEARCH-17: every conversation is searched, however many there are; the best match is the answer’s first', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  // More than one block of names.
  const titled = Array.from({ length: 270 }, (_, at) => `Walk ${at}`);
  await ann.api.startChat({ usernames: [], title: 'Walk' });
  await Promise.all(titled.map((title) => ann.api.startChat({ usernames: [], title })));
  await ann.api.startChat({ usernames: [], title: 'Harbour' });
  expect(await titles(ann, { query: 'walk', limit: 1 })).toEqual(['Walk']);
  expect(await titles(ann, { query: 'harbour' })).toEqual(['Harbour']);
});

test('SEARCH-18: a search of names waits for an earlier one of the same owner, not for those of others', async () => {
  const held = new HeldReads();
  await using world = await createWorld({ wrapRead: held.wrap });
  world.stayOnFirst();
  const { ann, bob } = await world.people('ann', 'bob');
  const bot = await world.bot(ann, 'robot');
  for (const { api } of [ann, bob]) await api.startChat({ usernames: [], title: 'Harbour' });
  const reading = held.hold('ORDER BY p.chat_key LIMIT');
  const first = titles(ann, { query: 'harbour' });
  await reading.asked;
  let hasEnded = false;
  const second = titles(bot, { query: 'harbour' }).finally(() => (hasEnded = true));
  expect(await titles(bob, { query: 'harbour' })).toEqual(['Harbour']);
  await world.settle();
  expect(hasEnded).toBe(false);
  reading.release();
  expect(await first).toEqual(['Harbour']);
  expect(await second).toEqual([]);
});

test('SEARCH-18: a conversation that the caller leaves while it is searched is not in the answer', async () => {
  const held = new HeldReads();
  await using world = await createWorld({ wrapRead: held.wrap });
  world.stayOnFirst();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await ann.api.startChat({ usernames: ['bob'], title: 'Harbour' });
  const reading = held.hold('ORDER BY p.chat_key LIMIT');
  const searching = titles(bob, { query: 'harbour' });
  await reading.asked;
  await ann.api.removeMember({ chat_id, username: 'bob' });
  reading.release();
  expect(await searching).toEqual([]);
});
