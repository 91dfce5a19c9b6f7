import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRows } from '../helpers/rows-in.ts';

const refused = { status: 401, code: 'unauthenticated' };
type Given = Parameters<Actor['api']['createAccessToken']>[0];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A program that acts for a person with an access token. */
async function program(stage: World, person: Actor, given: Partial<Given> = {}) {
  const made = await person.api.createAccessToken({ name: 'a script', scopes: ['read'], ...given });
  return { made, script: new Actor(stage, person.username, made.token) };
}

test('ACCESS-1, ACCESS-2: a token is returned once and listed without itself; only its hash is stored', async () => {
  const ann = await world.member();
  const { made, script } = await program(world, ann, { scopes: ['send', 'read', 'send'], expires_in: 60 });
  expect(made).toMatchObject({
    name: 'a script',
    scopes: ['send', 'read'],
    token: expect.stringMatching(/^at_[\w-]{43}$/),
  });
  expect(Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)).toBe(60_000);
  expect(await script.api.getMe()).toMatchObject({ username: ann.username });
  const { token, ...listed } = made;
  const { items } = await ann.api.getAccessTokens();
  expect(items.map(({ last_used_at: _at, ...item }) => item)).toEqual([listed]);
  expect(JSON.stringify(await allRows(world))).not.toContain(token);
});

test('ACCESS-1: agents, bad fields and conversations of others are refused; so is token 101', async () => {
  const [ann, bob] = [await world.member(), await world.member()];
  const bot = await world.bot(ann);
  const { id: others } = await world.group(bob);
  const create = (given: object, by = ann) =>
    failure(by.api.createAccessToken({ name: 'x', scopes: ['read'], ...given }));
  for (const call of [
    create({}, bot),
    failure(bot.api.getAccessTokens()),
    failure(bot.api.revokeAccessToken({ id: others })),
  ])
    expect(await call).toMatchObject({ status: 403 });
  for (const bad of [
    { scopes: [] },
    { scopes: ['all'] },
    { expires_in: 0 },
    { expires_in: 31_536_001 },
    { chat_ids: [] },
    { name: ' ' },
  ])
    expect(await create(bad)).toMatchObject({ status: 400 });
  expect(await create({ chat_ids: Array.from({ length: 101 }, () => others) })).toMatchObject({ status: 400 });
  expect(await create({ chat_ids: [others] })).toMatchObject({ status: 404 });
  for (let made = 0; made < 100; made += 1) await program(world, ann);
  expect(await create({})).toMatchObject({ status: 400 });
  expect((await ann.api.getAccessTokens()).items).toHaveLength(100);
});

test('ACCESS-3: a revoked token is 401, its sockets close and it leaves the list; another person’s is 404', async () => {
  const [ann, bob] = [await world.member(), await world.member()];
  const { made, script } = await program(world, ann);
  const other = await program(world, ann, { name: 'another' });
  const [ended, kept, own] = [await script.socket(), await other.script.socket(), await ann.socket()];
  expect(await failure(bob.api.revokeAccessToken({ id: made.id }))).toMatchObject({ status: 404 });
  await ann.api.revokeAccessToken({ id: made.id });
  expect(await ended.closed).toMatchObject({ code: 4401 });
  expect(await failure(script.api.getMe())).toMatchObject(refused);
  expect(await failure(ann.api.revokeAccessToken({ id: made.id }))).toMatchObject({ status: 404 });
  expect((await ann.api.getAccessTokens()).items).toMatchObject([{ id: other.made.id }]);
  for (const socket of [kept, own]) expect(await socket.rpc('getMe')).toMatchObject({ username: ann.username });
});

test('ACCESS-3, ACCESS-4: an expired token is 401 and its sockets close; last_used_at follows its use within seconds', async () => {
  const clock = new ManualClock();
  await using timed = await createWorld({ clock });
  const ann = await timed.person('ann');
  const { script } = await program(timed, ann, { expires_in: 60 });
  const socket = await script.socket();
  const usedAt = async () => Date.parse((await ann.api.getAccessTokens()).items[0]?.last_used_at ?? '');
  for (let calls = 0; calls < 2; calls += 1) {
    await clock.advance(20_000);
    const now = clock.now();
    await script.api.getMe();
    await clock.advance(2_000);
    await timed.settle();
    expect(Math.abs((await usedAt()) - now)).toBeLessThan(5_000);
  }
  await clock.advance(18_000);
  expect(await failure(script.api.getMe())).toMatchObject(refused);
  await clock.advance(2_000);
  expect(await socket.closed).toMatchObject({ code: 4401 });
  expect((await ann.api.getAccessTokens()).items).toEqual([]);
});

test('ACCESS-5: a new password leaves access tokens; they end with their account', async () => {
  const ann = await world.member();
  const { script } = await program(world, ann);
  const session = await world.signIn(ann);
  const password = 'another long password';
  await session.api.changePassword({ old_password: 'correct horse battery staple', new_password: password });
  const socket = await script.socket();
  await session.api.deleteAccount({ password });
  expect(await socket.closed).toMatchObject({ code: 4401 });
  expect(await failure(script.api.getMe())).toMatchObject(refused);
});

test('ACCESS-10: a message written with a token has via, also after an edit; copies and the person’s own have none', async () => {
  const ann = await world.member();
  const { id: chat_id } = await world.group(ann);
  const { script } = await program(world, ann, { name: 'Deploys', scopes: ['send'] });
  const { id } = await script.api.sendMessage({ chat_id, text: 'done' });
  await ann.api.editMessage({ message_id: id, text: 'done!' });
  await ann.api.forwardMessages({ message_ids: [id], to_chat_id: chat_id });
  const { items } = await ann.api.getChatHistory({ chat_id });
  const written = items.filter(({ service }) => !service);
  expect(written.map(({ content, via }) => [content, via])).toEqual([
    ['done!', { name: 'Deploys' }],
    ['done!', undefined],
  ]);
  await ann.api.deleteMessages({ message_ids: [id] });
  expect(JSON.stringify(await ann.api.getChatHistory({ chat_id }))).not.toContain('Deploys');
});

test('ACCESS-10: so do messages that a program has scheduled, whoever sends them, and those of its schedules', async () => {
  const ann = await world.member();
  const { id: chat_id } = await world.group(ann);
  const { script } = await program(world, ann, { name: 'Deploys', scopes: ['send', 'manage'] });
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const planned = await script.api.scheduleMessage({ chat_id, text: 'planned', send_at });
  const own = await ann.api.scheduleMessage({ chat_id, text: 'own', send_at });
  const edited = await ann.api.scheduleMessage({ chat_id, text: 'edited', send_at });
  await script.api.editScheduledMessage({ chat_id, scheduled_id: edited.id, text: 'by the program' });
  for (const { id } of [planned, own, edited]) await ann.api.sendScheduledMessage({ chat_id, scheduled_id: id });
  const when = { every: 'day', zone: 'Europe/Berlin' } as const;
  const { id: schedule_id } = await script.api.createSchedule({ chat_id, text: 'daily', when });
  await ann.api.runSchedule({ schedule_id });
  const { items } = await ann.api.getChatHistory({ chat_id });
  expect(items.filter(({ service }) => !service).map(({ content, via }) => [content, via])).toEqual([
    ['planned', { name: 'Deploys' }],
    ['own', undefined],
    ['by the program', { name: 'Deploys' }],
    ['daily', { name: 'Deploys' }],
  ]);
});

test('ACCESS-11: the socket of a program does not show that its person is there', async () => {
  const [ann, bob] = [await world.member(), await world.member()];
  await world.group(ann, bob);
  const { script } = await program(world, ann);
  await script.socket();
  const statusOf = async () => (await bob.api.getPresence({ usernames: [ann.username] })).items[0]?.status;
  expect(await statusOf()).toBe('offline');
  await ann.socket();
  await expect.poll(statusOf).toBe('online');
});
