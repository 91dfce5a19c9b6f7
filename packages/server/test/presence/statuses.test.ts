import { type Actor, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { get } from '../helpers/file-stage.ts';

const MINUTE_MS = 60_000;
const GATHER_MS = 3_000;
const lunch = { emoji: '🍜', text: 'At lunch' };
const inMinutes = (clock: ManualClock, minutes: number) => new Date(clock.now() + minutes * MINUTE_MS).toISOString();
const statusOf = async (reader: Actor, username: string) =>
  (await reader.api.getPresence({ usernames: [username] })).items[0]?.custom_status;
const exportOf = async (world: World, { api }: Actor) => (await get(world, (await api.exportMyData()).url)).json();
const watch = async (socket: TestSocket, ...usernames: string[]) => socket.rpc('getPresence', { usernames });
/** The statuses that a socket was sent; null where none was shown. */
const sentTo = (socket: TestSocket) =>
  (socket.all('presence') as { custom_status?: object }[]).map(({ custom_status: status }) => status ?? null);
async function pass(world: World, clock: ManualClock): Promise<void> {
  await world.settle();
  await clock.advance(GATHER_MS);
  await world.settle();
}

test('STATUS-1: setStatus replaces the whole status, and its bounds are checked', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob } = await world.people('ann', 'bob');
  await ann.api.startChat({ username: 'bob' });
  const until = inMinutes(clock, 30);
  expect(await ann.api.setStatus({ ...lunch, until })).toEqual({ ...lunch, until });
  expect(await statusOf(bob, 'ann')).toEqual({ ...lunch, until });
  await world.restart();
  expect(await statusOf(bob, 'ann')).toEqual({ ...lunch, until });
  expect(await ann.api.setStatus({ text: ' Reading  ' })).toEqual({ text: 'Reading' });
  expect(await statusOf(bob, 'ann')).toEqual({ text: 'Reading' });
  expect(await ann.api.setStatus({ emoji: '🌴', text: '\u200b' })).toEqual({ emoji: '🌴' });
  expect(await ann.api.setStatus({ emoji: '', text: '', until })).toEqual({});
  expect(await statusOf(bob, 'ann')).toBeUndefined();
  for (const emoji of ['❤️', '👩🏽‍💻', '🇨🇭', '1️⃣']) expect(await ann.api.setStatus({ emoji })).toEqual({ emoji });
  // Shown as a picture, whether the sign for that was given or not (REACT-7).
  expect(await ann.api.setStatus({ emoji: '❤' })).toEqual({ emoji: '❤️' });
  expect(await ann.api.setStatus({ text: '🙂'.repeat(100) })).toEqual({ text: '🙂'.repeat(100) });
  const refused = [
    { text: 'x'.repeat(101) },
    { text: 'two\nlines' },
    { text: 'turned \u202e' },
    { emoji: 'a' },
    { emoji: '1' },
    { emoji: '🍜🍜' },
    { text: 'late', until: new Date(clock.now()).toISOString() },
    { text: 'far', until: inMinutes(clock, 367 * 24 * 60) },
    { text: 'no zone', until: '2030-01-01T00:00:00' },
  ];
  for (const given of refused)
    await expect(ann.api.setStatus(given), JSON.stringify(given)).rejects.toMatchObject({ status: 400 });
  const bot = await world.bot(ann);
  await expect(bot.api.setStatus(lunch)).rejects.toMatchObject({ status: 403 });
});

test('STATUS-2: those who share a conversation see a status, unless either has blocked the other', async () => {
  await using world = await createWorld();
  const { ann, bob, eve } = await world.people('ann', 'bob', 'eve');
  await ann.api.setStatus(lunch);
  expect(await statusOf(ann, 'ann')).toEqual(lunch);
  const { id: chat_id } = await world.group(ann, bob);
  expect(await ann.api.getPresence({ usernames: ['ann'] })).toEqual({
    items: [{ username: 'ann', custom_status: lunch }],
  });
  expect(await statusOf(bob, 'ann')).toEqual(lunch);
  expect(await statusOf(eve, 'ann')).toBeUndefined();
  await ann.api.setPrivacy({ last_seen: false });
  expect(await bob.api.getPresence({ usernames: ['ann'] })).toEqual({
    items: [{ username: 'ann', custom_status: lunch }],
  });
  await ann.api.blockUser({ username: 'bob' });
  expect(await bob.api.getPresence({ usernames: ['ann'] })).toEqual({ items: [] });
  await ann.api.unblockUser({ username: 'bob' });
  await bob.api.blockUser({ username: 'ann' });
  expect(await bob.api.getPresence({ usernames: ['ann'] })).toEqual({ items: [] });
  await bob.api.unblockUser({ username: 'ann' });
  expect(await statusOf(bob, 'ann')).toEqual(lunch);
  await ann.api.removeMember({ chat_id, username: 'bob' });
  expect(await statusOf(bob, 'ann')).toBeUndefined();
});

test('STATUS-2: a stranger who opens a chat with a person sees its status once the person has written there', async () => {
  await using world = await createWorld();
  const { ann, eve } = await world.people('ann', 'eve');
  await ann.api.setStatus(lunch);
  const { id: chat_id } = await eve.api.startChat({ username: 'ann' });
  await eve.api.sendMessage({ chat_id, text: 'Hi!' });
  expect(await statusOf(eve, 'ann')).toBeUndefined();
  expect(await statusOf(ann, 'ann')).toEqual(lunch);
  await ann.api.sendMessage({ chat_id, text: 'Do we know each other?' });
  expect(await statusOf(eve, 'ann')).toEqual(lunch);
});

test('STATUS-3: a change is sent to the sockets that show the person, if their people may see it at that moment', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await world.group(ann, bob, cleo, dora);
  const [own, ofBob, plain, ofCleo, ofDora] = [
    await ann.socket('ext'),
    await bob.socket('ext'),
    await bob.socket(),
    await cleo.socket('ext'),
    await dora.socket('ext'),
  ];
  for (const socket of [own, ofBob, plain, ofCleo, ofDora]) await watch(socket, 'ann');
  await ann.api.blockUser({ username: 'cleo' });
  await ann.api.removeMember({ chat_id, username: 'dora' });
  await ann.api.setStatus({ text: 'first' });
  await ann.api.setStatus(lunch);
  await pass(world, clock);
  await ann.api.setStatus(lunch);
  await pass(world, clock);
  expect([own, ofBob].map(sentTo)).toEqual([[lunch], [lunch]]);
  // Another device is no change; neither is it one for those who do not learn who is online.
  await ann.api.setPrivacy({ last_seen: false });
  await own.close();
  await pass(world, clock);
  await ann.api.setStatus({});
  await pass(world, clock);
  expect(ofBob.all('presence').at(-1)).toEqual({ username: 'ann' });
  expect(sentTo(ofBob)).toEqual([lunch, null]);
  for (const socket of [plain, ofCleo, ofDora]) expect(socket.all('presence')).toEqual([]);
});

test('STATUS-3: a status that changes while a socket asks is not missed', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob } = await world.people('ann', 'bob');
  await ann.api.startChat({ username: 'bob' });
  const socket = await bob.socket('ext');
  // Many names, so that the service reads in steps.
  const many = ['ann', ...Array.from({ length: 99 }, (_, at) => `nobody${at}`)];
  const [answer] = await Promise.all([watch(socket, ...many), ann.api.setStatus(lunch)]);
  await pass(world, clock);
  const { items } = answer as { items: { custom_status?: object }[] }; // the declared result
  expect(sentTo(socket).at(-1) ?? items[0]?.custom_status).toEqual(lunch);
});

test('STATUS-4: from its end on nobody is shown a status, and no event says so', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob } = await world.people('ann', 'bob');
  await ann.api.startChat({ username: 'bob' });
  const socket = await bob.socket('ext');
  await watch(socket, 'ann');
  const until = inMinutes(clock, 1);
  await ann.api.setStatus({ ...lunch, until });
  await pass(world, clock);
  await clock.advance(MINUTE_MS - GATHER_MS - 1);
  expect(await statusOf(bob, 'ann')).toEqual({ ...lunch, until });
  await clock.advance(1);
  expect(await statusOf(bob, 'ann')).toBeUndefined();
  expect(JSON.stringify(await exportOf(world, ann))).not.toContain(lunch.text);
  await pass(world, clock);
  expect(sentTo(socket)).toEqual([{ ...lunch, until }]);
  // The same once more is a change.
  await ann.api.setStatus(lunch);
  await pass(world, clock);
  expect(await statusOf(bob, 'ann')).toEqual(lunch);
});

test('STATUS-5: the export has the status of the account', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  await bob.api.setStatus({ text: 'away' });
  await ann.api.setStatus(lunch);
  expect(await exportOf(world, ann)).toMatchObject({ status: [lunch] });
});
