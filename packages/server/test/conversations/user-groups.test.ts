import { Actor, createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { withRole } from '../helpers/roles.ts';

const forbidden = { status: 403 };
const missing = { status: 404 };
const conflict = { status: 409 };

const mentionsOf = async (who: Actor, chat_id: string, text: string) =>
  (await who.api.sendMessage({ chat_id, text })).mentions;

/** An admin of the service, and people. */
async function scene(world: World) {
  const { boss, ann, bob, cleo } = await world.people('boss', 'ann', 'bob', 'cleo');
  await withRole(world, boss, 'admin');
  const make = (name: string, usernames: string[], title = 'Support') =>
    boss.api.createUserGroup({ name, title, usernames });
  return { boss, ann, bob, cleo, make };
}

test('USERGROUP-1: admins of the service create, change and delete groups of people, and everyone sees them', async () => {
  await using world = await createWorld();
  const { boss, ann, make } = await scene(world);
  expect(await make('support', ['bob', 'ann', 'bob'])).toEqual({
    name: 'support',
    title: 'Support',
    usernames: ['ann', 'bob'],
  });
  await make('board', [], 'The board');
  expect(await boss.api.updateUserGroup({ name: 'support', title: 'Help' })).toEqual({
    name: 'support',
    title: 'Help',
    usernames: ['ann', 'bob'],
  });
  await boss.api.updateUserGroup({ name: 'support', usernames: ['cleo'] });
  const list = async () => (await ann.api.getUserGroups()).items;
  expect(await list()).toEqual([
    { name: 'board', title: 'The board', usernames: [] },
    { name: 'support', title: 'Help', usernames: ['cleo'] },
  ]);
  await boss.api.deleteUserGroup({ name: 'board' });
  expect((await list()).map(({ name }) => name)).toEqual(['support']);
  for (const name of ['board', 'unknown']) {
    await expect(boss.api.updateUserGroup({ name, title: 'x' })).rejects.toMatchObject(missing);
    await expect(boss.api.deleteUserGroup({ name })).rejects.toMatchObject(missing);
  }
  await expect(make('sales', ['unknown_person'])).rejects.toMatchObject(missing);
  // Nothing of it was stored.
  expect((await list()).map(({ name }) => name)).toEqual(['support']);
  for (const call of [
    () => ann.api.createUserGroup({ name: 'mine', title: 'Mine', usernames: [] }),
    () => ann.api.updateUserGroup({ name: 'support', title: 'x' }),
    () => ann.api.deleteUserGroup({ name: 'support' }),
  ])
    await expect(call()).rejects.toMatchObject(forbidden);
});

test('USERGROUP-2: only people are in it, and an account that is deleted is in none any more', async () => {
  await using world = await createWorld();
  const { ann, boss, make } = await scene(world);
  const bot = await world.bot(ann);
  for (const name of [bot.username, 'parley'])
    await expect(make('support', [name])).rejects.toMatchObject({ status: 404 });
  const member = await world.member('leaving');
  await make('support', ['ann', 'leaving']);
  await member.api.deleteAccount({ password: 'correct horse battery staple' });
  expect((await boss.api.getUserGroups()).items).toMatchObject([{ usernames: ['ann'] }]);
});

test('USERGROUP-3: no account has the name of a group of people, in either order, and `all` and `here` are reserved', async () => {
  await using world = await createWorld();
  const { make } = await scene(world);
  const password = 'correct horse battery staple';
  const signUp = (username: string) => new Actor(world, '', '').api.signUp({ username, password });
  await make('support', []);
  await expect(make('support', [])).rejects.toMatchObject(conflict);
  for (const name of ['support', 'all', 'here']) await expect(signUp(name)).rejects.toMatchObject(conflict);
  for (const name of ['ann', 'all', 'here', 'parley']) await expect(make(name, [])).rejects.toMatchObject(conflict);
  for (const name of ['Support', 'a b', 'a:b', '', 'x'.repeat(33)])
    await expect(make(name, [])).rejects.toMatchObject({ status: 400 });
  // At the same time exactly one of the two gets the name.
  for (const name of ['one', 'two', 'three']) {
    const both = await Promise.allSettled([signUp(name), make(name, [])]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});

test('MENTION-14, USERGROUP-4: the name mentions those of its people who take part, and counts for them', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, boss, make } = await scene(world);
  const chat = await world.group(ann, bob, cleo);
  await make('support', ['boss', 'bob', 'cleo']);
  const id = chat.id;
  expect(await mentionsOf(ann, id, 'hello @support, and @bob')).toEqual(['bob', 'cleo']);
  expect(await mentionsOf(ann, id, '@cleo @Support')).toEqual(['cleo', 'bob']);
  expect(await ann.api.sendMessage({ chat_id: id, text: '@ann @support' })).toMatchObject({
    mentions: ['ann', 'bob', 'cleo'],
    mentioned_groups: ['support'],
  });
  for (const text of ['`@support`', 'x@support', '@supporters', '@boss'])
    expect(await mentionsOf(ann, id, text)).toEqual([]);
  expect((await cleo.api.getChat({ chat_id: id })).unread_mentions).toBe(3);
  expect((await cleo.api.getInbox({})).items).toHaveLength(3);
  const edited = await ann.api.sendMessage({ chat_id: id, text: 'nobody' });
  expect((await ann.api.editMessage({ message_id: edited.id, text: '@support' })).mentions).toEqual(['bob', 'cleo']);
  // A participant's name comes first.
  await boss.api.deleteUserGroup({ name: 'support' });
  expect(await mentionsOf(ann, id, '@support')).toEqual([]);
});

test('MENTION-15: @all mentions every person; where more than 20 take part, only owner and admins', async () => {
  await using world = await createWorld();
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, at) => world.person(`p${String(at).padStart(2, '0')}`)),
  );
  const [owner, admin, member] = people as [Actor, Actor, Actor];
  const chat = await world.group(...(people as [Actor, ...Actor[]]));
  const chat_id = chat.id;
  await owner.api.setMemberRole({ chat_id, username: admin.username, role: 'admin' });
  const bot = await botIn(world, owner, chat);
  const names = people.map(({ username }) => username);
  expect((await mentionsOf(member, chat_id, 'hear, @all')).toSorted()).toEqual(names);
  expect((await mentionsOf(bot, chat_id, '@ALL')).toSorted()).toEqual(names);
  expect(await mentionsOf(member, chat_id, '`@all`')).toEqual([]);
  await owner.api.addMembers({ chat_id, usernames: [(await world.person('late')).username] });
  for (const who of [member, bot])
    for (const text of ['@all', '@here']) expect(await mentionsOf(who, chat_id, text), text).toEqual([]);
  for (const who of [owner, admin]) expect(await mentionsOf(who, chat_id, '@all')).toHaveLength(21);
});

test('MENTION-15: neither @all nor a group of people fires an agent', async () => {
  await using world = await createWorld();
  const { ann, bob, make } = await scene(world);
  const chat = await world.group(ann, bob);
  const agent = await keyedAgent(world, ann);
  await ann.api.addGroupAgent({ chat_id: chat.id, agent_username: agent.username });
  await make('support', ['bob']);
  for (const text of ['@all', '@here', '@support'])
    expect(await ann.api.sendMessage({ chat_id: chat.id, text })).toMatchObject({ dispatch: [] });
});

test('MENTION-15: where an account of that name exists, it is meant, and nobody else', async () => {
  await using world = await createWorld();
  const { ann, bob } = await scene(world);
  const { id: chat_id } = await world.group(ann, bob);
  // As it may be in an installation from before the names were reserved.
  await world.sql("UPDATE accounts SET username = 'all' WHERE username = 'cleo'");
  expect(await mentionsOf(ann, chat_id, '@all')).toEqual([]);
  const { id: other } = await ann.api.startChat({ usernames: ['all'], title: 'Other' });
  expect(await mentionsOf(ann, other, '@all')).toEqual(['all']);
});

test('MENTION-16: @here mentions who is online and shares that', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, boss } = await scene(world);
  const dora = await world.person('dora');
  const { id: chat_id } = await world.group(ann, bob, cleo, boss, dora);
  for (const who of [bob, cleo, dora]) await who.api.sendMessage({ chat_id, text: 'hello' });
  const sockets = [await bob.socket(), await cleo.socket(), await dora.socket()];
  await cleo.api.setPrivacy({ last_seen: false });
  await dora.api.blockUser({ username: 'ann' });
  expect(await mentionsOf(ann, chat_id, 'anybody @here?')).toEqual(['bob']);
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: 'x' });
  expect((await ann.api.editMessage({ message_id, text: '@here' })).mentions).toEqual(['bob']);
  // Who does not share it learns it of nobody.
  await ann.api.setPrivacy({ last_seen: false });
  expect(await mentionsOf(ann, chat_id, '@here')).toEqual([]);
  await ann.api.setPrivacy({ last_seen: true });
  const long = `${'word '.repeat(1_000)} @here`;
  expect(await mentionsOf(ann, chat_id, long)).toEqual(['bob']);
  for (const socket of sockets) await socket.close();
});

test('MENTION-16: @here tells a stranger nothing about people who have not answered', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await scene(world);
  const chat = await world.group(ann, bob, cleo);
  const chat_id = chat.id;
  const socket = await bob.socket();
  expect(await mentionsOf(ann, chat_id, '@here')).toEqual([]);
  const bot = await botIn(world, ann, chat);
  expect(await mentionsOf(bot, chat_id, '@here')).toEqual([]);
  await bob.api.sendMessage({ chat_id, text: 'hello' });
  for (const who of [ann, bot]) expect(await mentionsOf(who, chat_id, '@here')).toEqual(['bob']);
  // A bot learns no more than its owner shares.
  await ann.api.setPrivacy({ last_seen: false });
  for (const who of [ann, bot]) expect(await mentionsOf(who, chat_id, '@here')).toEqual([]);
  await socket.close();
});

test('MENTION-14: of one text the first 50 names and the first 10 groups of people count, in direct chats none', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, make } = await scene(world);
  const { id: chat_id } = await world.group(ann, bob, cleo);
  const names = Array.from({ length: 11 }, (_, at) => `group${at + 10}`);
  for (const name of names) await make(name, name === 'group20' ? ['cleo'] : ['bob']);
  const called = (list: readonly string[]) => list.map((name) => `@${name}`).join(' ');
  expect(await mentionsOf(ann, chat_id, called(names))).toEqual(['bob']);
  expect(await mentionsOf(ann, chat_id, called(names.slice(1)))).toEqual(['bob', 'cleo']);
  const unknown = Array.from({ length: 50 }, (_, at) => `unknown${at}`);
  expect(await mentionsOf(ann, chat_id, called([...unknown.slice(1), 'group20']))).toEqual(['cleo']);
  expect(await mentionsOf(ann, chat_id, called([...unknown, 'group20']))).toEqual([]);
  // What is no mention takes no place.
  expect(await mentionsOf(ann, chat_id, `\`${called(unknown)}\` @group20`)).toEqual(['cleo']);
  const { id: direct } = await world.direct(ann, cleo);
  expect(await mentionsOf(ann, direct, '@group20')).toEqual([]);
});

test('READ-9: an edit by somebody who is no admin any more forgets what its message mentioned before', async () => {
  await using world = await createWorld();
  const { ann, bob } = await scene(world);
  const people = await Promise.all(Array.from({ length: 55 }, (_, at) => world.person(`q${at + 10}`)));
  const { id: chat_id } = await world.group(ann, bob, ...people);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const { id: message_id } = await bob.api.sendMessage({ chat_id, text: '@all' });
  const counted = async () => {
    const chats = await Promise.all(people.map((who) => who.api.getChat({ chat_id })));
    return chats.reduce((sum, { unread_mentions }) => sum + unread_mentions, 0);
  };
  expect(await counted()).toBe(55);
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'member' });
  await bob.api.editMessage({ message_id, text: 'nobody' });
  expect(await counted()).toBe(0);
});

test('USERGROUP-2: all groups together have at most 20,000 people', async () => {
  await using world = await createWorld();
  const { boss, make } = await scene(world);
  await make('support', ['ann', 'bob']);
  const groups = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)';
  await world.sql(`INSERT INTO user_group_people (group_key, account_key)
    ${groups} SELECT 1000 + i, a.key FROM n, accounts a WHERE a.username IN ('ann', 'bob')`);
  await expect(make('board', ['cleo'])).rejects.toMatchObject({ status: 400 });
  await expect(boss.api.updateUserGroup({ name: 'support', usernames: ['ann', 'bob', 'cleo'] })).rejects.toMatchObject({
    status: 400,
  });
  // Its own people are replaced.
  await boss.api.updateUserGroup({ name: 'support', usernames: ['cleo', 'bob'] });
});

test('READ-8: a message of owner or admin counts for all whom it mentions, of others for the first 50', async () => {
  await using world = await createWorld();
  const { ann, bob, make } = await scene(world);
  const people = await Promise.all(Array.from({ length: 60 }, (_, at) => world.person(`q${at + 10}`)));
  const { id: chat_id } = await world.group(ann, bob, ...people);
  await make(
    'everybody',
    people.map(({ username }) => username),
  );
  const counted = async () => {
    const chats = await Promise.all(people.map((who) => who.api.getChat({ chat_id })));
    return chats.reduce((sum, { unread_mentions }) => sum + unread_mentions, 0);
  };
  expect(await mentionsOf(bob, chat_id, '@everybody')).toHaveLength(60);
  expect(await counted()).toBe(50);
  await mentionsOf(ann, chat_id, '@all');
  expect(await counted()).toBe(110);
});
