import { type Actor, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

const ask = async (who: Actor, ...usernames: string[]) => (await who.api.getPresence({ usernames })).items;
/** Asks over a socket, which is then sent changes. */
const watch = (socket: TestSocket, ...usernames: string[]) => socket.rpc('getPresence', { usernames });
/** Time for which changes are collected. */
const GATHER_MS = 3_000;
/** Lets the nodes hear of each other's sockets (CLUSTER-23), then sends the changes. */
async function pass(world: World, clock: ManualClock): Promise<void> {
  for (const ms of [10, GATHER_MS]) {
    await world.settle();
    await clock.advance(ms);
  }
  await world.settle();
}
/** They write in a conversation to which others have added them (PRESENCE-3). */
const greet = async (chat_id: string, ...people: Actor[]) => {
  for (const { api } of people) await api.sendMessage({ chat_id, text: 'hello' });
};
const online = (username: string) => ({ username, status: 'online' });

test('PRESENCE-1, PRESENCE-2: people who share a conversation see who is online, and since when not', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const [ann, bob, eve] = [await world.member('ann'), await world.member('bob'), await world.member('eve')];
  await greet((await world.group(ann, bob)).id, bob);
  const minute = (ms: number) => new Date(ms - (ms % 60_000)).toISOString();
  const signedUp = minute(clock.now());
  expect(await ask(ann, 'bob', 'eve', 'ann', 'nobody', 'bob')).toEqual([
    { username: 'bob', status: 'offline', last_seen_at: signedUp },
  ]);
  const socket = await bob.socket();
  // In steps, so that the socket can answer the pings.
  for (let at = 0; at < 4; at += 1) {
    await clock.advance(20_000);
    await world.settle();
  }
  expect(await ask(ann, 'bob')).toEqual([online('bob')]);
  expect(await ask(eve, 'bob')).toEqual([]);
  const left = minute(clock.now());
  await socket.close();
  await world.settle();
  await clock.advance(1_000);
  await world.settle();
  expect(await ask(ann, 'bob')).toEqual([{ username: 'bob', status: 'offline', last_seen_at: left }]);
  expect(left > signedUp).toBe(true);
  const bot = await world.bot(ann);
  await expect(bot.api.getPresence({ usernames: ['ann'] })).rejects.toMatchObject({ status: 403 });
  const many = Array.from({ length: 101 }, (_, at) => `p${at}`);
  await expect(ann.api.getPresence({ usernames: many })).rejects.toMatchObject({ status: 400 });
});

test('PRESENCE-2: a bot is online while one of its daemons is connected; other agents have no presence', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const chat = await world.group(ann, bob);
  const bot = await botIn(world, bob, chat);
  await ann.api.startChat({ username: 'ann:provider_a' });
  const names = [bot.username, 'ann:provider_a', 'parley:guide'];
  expect(await ask(ann, ...names)).toEqual([{ username: bot.username, status: 'offline' }]);
  await bot.socket();
  await world.settle();
  expect(await ask(ann, ...names)).toEqual([online(bot.username)]);
});

test('PRESENCE-3: nothing is shown to or about an account that blocked the other, in both directions', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const chat = await world.group(ann, bob);
  await greet(chat.id, bob);
  const bot = await botIn(world, bob, chat);
  for (const who of [ann, bob, bot]) await who.socket();
  await world.settle();
  expect(await ask(ann, 'bob', bot.username)).toHaveLength(2);
  await ann.api.blockUser({ username: 'bob' });
  expect(await ask(ann, 'bob', bot.username)).toEqual([]);
  expect(await ask(bob, 'ann')).toEqual([]);
  await ann.api.unblockUser({ username: 'bob' });
  await bob.api.blockUser({ username: 'ann' });
  expect(await ask(ann, 'bob', bot.username)).toEqual([]);
  expect(await ask(bob, 'ann')).toEqual([]);
});

test('PRESENCE-3: who does not share when they are online is not shown, and does not see it of others', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const chat = await world.group(ann, bob, cleo);
  await greet(chat.id, bob, cleo);
  const bot = await botIn(world, bob, chat);
  for (const who of [ann, bob, cleo, bot]) await who.socket();
  await world.settle();
  await ann.api.setPrivacy({ last_seen: false });
  expect(await ask(bob, 'ann', 'cleo')).toEqual([online('cleo')]);
  expect(await ask(ann, 'bob', 'cleo', bot.username)).toEqual([online(bot.username)]);
  await ann.api.setPrivacy({ last_seen: true });
  expect(await ask(bob, 'ann')).toEqual([online('ann')]);
});

test('PRESENCE-3: opening a chat with somebody, or adding somebody to a group, shows nothing until that person writes', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  for (const who of [ann, bob, cleo]) await who.socket();
  await world.settle();
  const { id: direct } = await world.direct(ann, bob);
  const { id: chat_id } = await world.group(ann, bob);
  expect(await ask(ann, 'bob')).toEqual([]);
  expect(await ask(bob, 'ann')).toEqual([online('ann')]);
  await greet(chat_id, bob);
  expect(await ask(ann, 'bob')).toEqual([online('bob')]);
  await ann.api.removeMember({ chat_id, username: 'bob' });
  await ann.api.addMembers({ chat_id, usernames: ['bob'] });
  expect(await ask(ann, 'bob')).toEqual([]);
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: 'look' });
  await bob.api.forwardMessages({ message_ids: [message_id], to_chat_id: direct });
  expect(await ask(ann, 'bob')).toEqual([online('bob')]);

  // Joining a group is the person's own doing.
  const { token } = await ann.api.createInvite({ chat_id });
  await cleo.api.joinChat({ token });
  expect(await ask(ann, 'cleo')).toEqual([online('cleo')]);
});

test('PRESENCE-7: a shared conversation counts if it is the direct chat, or among the newest 1,000 of either', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  await greet((await world.group(ann, bob)).id, bob);
  const known = async () => (await ask(ann, 'bob')).length === 1;
  await join(world, 'ann', 1_000_000, 1_000);
  expect(await known()).toBe(true);
  await join(world, 'bob', 2_000_000, 1_000);
  expect(await known()).toBe(false);
  await world.direct(bob, ann);
  expect(await known()).toBe(true);
  await world.sql('DELETE FROM participants WHERE chat_key >= 1000000');
});

test('PRESENCE-7: the time of an answer does not grow with the number of conversations', async () => {
  await using world = await createWorld();
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const { ann } = await world.people('ann', ...names);
  if (!ann) throw new Error('ann is missing');
  await join(world, 'ann', 1_000_000, 20_000);
  for (const [at, name] of names.entries()) await join(world, name, 2_000_000 + at * 10_000, 2_000);
  const began = performance.now();
  expect(await ask(ann, ...names)).toEqual([]);
  // A query that begins with all conversations of ann takes about 20 s.
  expect(performance.now() - began).toBeLessThan(5_000);
  await world.sql('DELETE FROM participants WHERE chat_key >= 1000000');
});

/** Adds an account to conversations that exist only as rows. */
const join = async (world: World, username: string, from: number, count: number) =>
  world.sql(
    `INSERT INTO participants (chat_key, account_key, role, joined_at)
     WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count - 1})
     SELECT n.i, a.key, 'member', 0 FROM n, accounts a WHERE a.username = '${username}'`,
  );

test('PRESENCE-4: the changes of each account are collected for a time of its own', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  await greet((await world.group(ann, bob, cleo)).id, bob, cleo);
  const ext = await ann.socket('ext');
  await watch(ext, 'bob', 'cleo');
  const after = async (ms: number) => {
    await world.settle();
    await clock.advance(ms);
    await world.settle();
  };
  await bob.socket();
  await after(10);
  await after(2_900);
  const short = await cleo.socket();
  await after(10);
  await after(200);
  expect(ext.all('presence')).toEqual([online('bob')]);
  await short.close();
  await after(10);
  await after(3_000);
  expect(ext.all('presence')).toEqual([online('bob')]);
});

test('PRESENCE-4: a socket with `ext` is sent the changes of the accounts that it asked about last', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  await greet((await world.group(ann, bob, cleo)).id, bob, cleo);
  const [ext, plain, silent] = [await ann.socket('ext'), await ann.socket(), await ann.socket('ext')];
  await watch(ext, 'cleo');
  await watch(ext, 'bob');
  await watch(plain, 'bob');
  await ann.api.getPresence({ usernames: ['bob'] });
  const [one] = [await bob.socket(), await cleo.socket()];
  await pass(world, clock);
  expect(ext.all('presence')).toEqual([online('bob')]);
  // A page that is loaded again is no change.
  await one.close();
  const two = await bob.socket();
  await pass(world, clock);
  // Neither is another device.
  await (await bob.socket()).close();
  await pass(world, clock);
  expect(ext.all('presence')).toHaveLength(1);
  await two.close();
  await pass(world, clock);
  expect(ext.all('presence')).toEqual([online('bob'), { username: 'bob', status: 'offline' }]);
  await watch(ext);
  await bob.socket();
  await pass(world, clock);
  expect(ext.all('presence')).toHaveLength(2);
  expect([...plain.all('presence'), ...silent.all('presence')]).toEqual([]);
});

test('PRESENCE-5: a change is sent only to those who may know it at that moment', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await world.group(bob, ann, cleo, dora);
  const sockets: TestSocket[] = [];
  for (const who of [ann, cleo, dora]) {
    const socket = await who.socket('ext');
    await watch(socket, 'bob');
    sockets.push(socket);
  }
  await bob.api.blockUser({ username: 'ann' });
  await bob.api.removeMember({ chat_id, username: 'cleo' });
  await bob.socket();
  await pass(world, clock);
  expect(sockets.map((socket) => socket.all('presence'))).toEqual([[], [], [online('bob')]]);
});

test(
  'PRESENCE-5: when many come online at once, a node sends 1,000 events in 3 s; the rest is known when asked again',
  { timeout: 120_000 },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const names = (count: number, kind: string) => Array.from({ length: count }, (_, at) => `${kind}${at}`);
    const people = async (usernames: string[]) =>
      Promise.all(usernames.map(async (username) => world.person(username)));
    const [viewers, crowd] = [await people(names(50, 'viewer')), await people(names(60, 'other'))];
    const [owner, ...rest] = [...viewers, ...crowd];
    if (!owner) throw new Error('no owner');
    await greet((await world.group(owner, ...rest)).id, ...crowd);
    world.stayOnFirst();
    const shown = crowd.map(({ username }) => username);
    const sockets = await Promise.all(viewers.map(async (viewer) => viewer.socket('ext')));
    for (const socket of sockets) await watch(socket, ...shown);
    for (const other of crowd) await other.socket();
    await pass(world, clock);
    await pass(world, clock);
    const events = () => sockets.reduce((sum, socket) => sum + socket.all('presence').length, 0);
    await expect.poll(events, { timeout: 30_000 }).toBe(1_000);
    const answers = await Promise.all(sockets.map(async (socket) => watch(socket, ...shown)));
    expect(answers).toEqual(sockets.map(() => ({ items: expect.any(Array) })));
    expect(answers.map((answer) => (answer as { items: unknown[] }).items.length)).toEqual(sockets.map(() => 60));
    expect(JSON.stringify(answers)).not.toContain('offline');
    expect(events()).toBe(1_000);
  },
);

test('BLOCK-11: a blocked person sees the presence of somebody who shares nothing', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  for (const who of [ann, cleo]) {
    await who.api.sendMessage({ chat_id, text: 'here' });
    await who.socket();
  }
  await cleo.api.setPrivacy({ last_seen: false });
  await ann.api.setStatus({ text: 'In a meeting' });
  const seen = async (username: string) =>
    (await bob.api.getPresence({ usernames: [username] })).items.map((item) => ({ ...item, username: 'x' }));
  expect(await seen('ann')).not.toEqual(await seen('cleo'));
  await ann.api.blockUser({ username: 'bob' });
  expect(await seen('ann')).toEqual(await seen('cleo'));
});
