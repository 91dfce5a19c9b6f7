import { Actor, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const password = 'correct horse battery staple';
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const refused = (code: string) => ({ code });

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('ACCT-1, ACCT-2, ACCT-3, ACCT-4: signUp creates an account, a session, two agents and a chat with the guide', async () => {
  const visitor = new Actor(world, 'ann', '');
  const device = { name: 'phone', platform: 'ios', app_version: '1.2' };
  const { token, session, account } = await visitor.api.signUp({ username: 'ann', password, device });
  expect(account).toEqual({
    username: 'ann',
    kind: 'human',
    display_name: 'ann',
    role: expect.stringMatching(/^(?:owner|member)$/),
    created_at: expect.stringMatching(isoTime),
  });
  expect(session).toEqual({
    id: expect.stringMatching(uuidV7),
    is_current: true,
    device_name: 'phone',
    platform: 'ios',
    app_version: '1.2',
    created_at: expect.stringMatching(isoTime),
    last_active_at: session.created_at,
  });
  const ann = new Actor(world, 'ann', token);
  for (const provider of ['provider_a', 'provider_b'])
    expect(await ann.api.getUser({ username: `ann:${provider}` })).toMatchObject({
      username: `ann:${provider}`,
      kind: 'agent',
      parent_username: 'ann',
      agent_provider: provider,
    });
  const { items } = await ann.api.getChats();
  expect(
    items.map(({ kind, participants }) => [kind, participants.map(({ username }) => username).toSorted()]),
  ).toEqual([['direct', ['ann', 'parley:guide']]]);
  const named = await visitor.api.signUp({ username: 'anna', password, display_name: 'Anna A.' });
  expect(named.account.display_name).toBe('Anna A.');
});

test('ACCT-2, ERR-9: a taken username is a conflict, also for the second of two concurrent sign-ups and for an account without a password', async () => {
  const { api } = new Actor(world, 'nobody', '');
  await world.person('devina');
  await expect(api.signUp({ username: 'devina', password })).rejects.toMatchObject(refused('conflict'));
  const both = await Promise.allSettled([1, 2].map(() => api.signUp({ username: 'twin', password })));
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'conflict' },
  });
});

test.each([
  ['username', { username: 'No', password }],
  ['username', { username: 'x'.repeat(33), password }],
  ['username', { username: 'a:b', password }],
  ['username', { username: '', password }],
  ['password', { username: 'short', password: '1234567' }],
  ['display_name', { username: 'blank', password, display_name: '' }],
])('ACCT-1, AUTH-3, ERR-3: signUp names the field %s of %o', async (field, params) => {
  const { api } = new Actor(world, 'nobody', '');
  await expect(api.signUp(params)).rejects.toMatchObject({ status: 400, parameters: { field } });
});

test('ACCT-3, ACCT-4: a development account gets its two agents, but no chat with the guide', async () => {
  const { api } = await world.person('dev_one');
  expect((await api.getMyAgents()).items.map(({ username }) => username)).toEqual([
    'dev_one:provider_a',
    'dev_one:provider_b',
  ]);
  expect((await api.getChats()).items).toEqual([]);
});

test('ACCT-5: the guide is a public agent of the service’s own account, which nobody can take, sign in to or write to', async () => {
  const person = await world.person('curious');
  const guide = await person.api.getUser({ username: 'parley:guide' });
  expect(guide).toMatchObject({ username: 'parley:guide', kind: 'agent', parent_username: 'parley' });
  expect(await person.api.startChat({ username: 'parley:guide' })).toMatchObject({ kind: 'direct' });
  await expect(person.api.signUp({ username: 'parley', password })).rejects.toMatchObject(refused('conflict'));
  const impostor = new Actor(world, 'parley', 'dev:parley');
  await expect(impostor.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
  expect(await person.api.getUser({ username: 'parley' })).toMatchObject({ kind: 'human', display_name: 'Parley' });
  await expect(person.api.signIn({ username: 'parley', password })).rejects.toMatchObject(refused('unauthenticated'));
  await expect(person.api.startChat({ username: 'parley' })).rejects.toMatchObject(refused('forbidden'));
  const group = { usernames: ['parley'], title: 'a group' };
  await expect(person.api.startChat(group)).rejects.toMatchObject(refused('invalid_argument'));
  const { id: chat_id } = await person.api.startChat({ usernames: [], title: 'a group' });
  await expect(person.api.addMembers({ chat_id, usernames: ['parley'] })).rejects.toMatchObject(
    refused('invalid_argument'),
  );
  const { items } = await person.api.getUsers({ query: 'parley' });
  expect(items.map(({ username }) => username)).toEqual(['parley:guide']);
});

test('ACCT-7: getMe returns the caller, getUser any account; an unknown username is 404', async () => {
  const { una, vera } = await world.people('una', 'vera');
  const me = await una.api.getMe();
  expect(me).toMatchObject({ username: 'una', kind: 'human', display_name: 'una' });
  expect({ ...(await vera.api.getUser({ username: 'una' })), role: 'member' }).toEqual(me);
  await expect(vera.api.getUser({ username: 'nobody_at_all' })).rejects.toMatchObject({
    status: 404,
    description: 'not found: account',
  });
});

test('ACCT-6: getUsers returns accounts in the order of the given usernames, and leaves unknown ones out', async () => {
  const { wim, xena } = await world.people('wim', 'xena');
  const { items, next_cursor } = await wim.api.getUsers({ usernames: ['xena', 'nobody_at_all', 'wim', 'xena'] });
  expect([await xena.api.getMe(), await wim.api.getMe()]).toMatchObject(items);
  expect(next_cursor).toBeUndefined();
});

test('ACCT-6, PAGE-3: getUsers finds usernames that begin with the query, then display names, ignoring case, each account once', async () => {
  const { api } = new Actor(world, 'nobody', '');
  for (const [username, display_name] of [
    ['zoe', 'Someone'],
    ['zora', 'Zora'],
    ['first', 'ZOLA'],
    ['second', 'Zoltan'],
    ['third', 'not Zo'],
  ] as const)
    await api.signUp({ username, password, display_name });
  const asker = await world.person('asker');
  const found: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages += 1) {
    const page = await asker.api.getUsers({ query: 'zO', limit: 3, cursor });
    found.push(...page.items.map(({ username }) => username));
    cursor = page.next_cursor;
  }
  expect(found.filter((username) => !username.includes(':'))).toEqual(['zoe', 'zora', 'first', 'second']);
  expect(new Set(found).size).toBe(found.length);
  expect(pages).toBe(Math.ceil(found.length / 3));
});

test('PAGE-1: a limit is an integer of at least 1, and is capped at the maximum', async () => {
  const { api } = await world.person('reader');
  for (const limit of [0, -1, 1.5, 2 ** 53, 1e300])
    await expect(api.getUsers({ limit })).rejects.toMatchObject({ status: 400, parameters: { field: 'limit' } });
  expect((await api.getUsers({ limit: 1 })).items).toHaveLength(1);
  const { items } = await api.getUsers({ limit: 2 ** 53 - 1 });
  expect(items.length).toBeLessThanOrEqual(200);
});

test('PAGE-2: a cursor of another list, or a made-up one, is refused', async () => {
  const { api } = await world.person('reader');
  const { next_cursor: ofUsers } = await api.getUsers({ limit: 1 });
  expect(ofUsers).toBeDefined();
  await expect(api.getChats({ cursor: ofUsers })).rejects.toMatchObject({
    status: 400,
    parameters: { field: 'cursor' },
  });
  await expect(api.getUsers({ cursor: 'made-up' })).rejects.toMatchObject({ status: 400 });
});

test('ACCT-2, CONFIG-8: with sign-up closed, signUp is refused, and getServerInfo says that it is closed', async () => {
  await using world = await createWorld({ env: { SIGN_UP: 'closed' } });
  const { api } = new Actor(world, 'ann', '');
  expect(await api.getServerInfo()).toMatchObject({ sign_up: 'closed' });
  await expect(api.signUp({ username: 'ann', password })).rejects.toMatchObject({ status: 403 });
  const person = await world.person('bob');
  await expect(person.api.getUser({ username: 'ann' })).rejects.toMatchObject(refused('not_found'));
});

test('ACCT-5: later starts of the service keep the guide that the first start created', async () => {
  await using world = await createWorld();
  const person = await world.person('ann');
  const guide = await person.api.getUser({ username: 'parley:guide' });
  await world.restart();
  expect(await person.api.getUser({ username: 'parley:guide' })).toEqual(guide);
});

test('ACCT-5: a guide from before the service’s own account becomes that account’s agent at the next start', async () => {
  await using world = await createWorld();
  const member = await world.member();
  const stored = () =>
    world.sql("SELECT bytes FROM stored_bytes JOIN accounts ON key = owner_key WHERE username = 'parley'");
  const [chat] = (await member.api.getChats()).items;
  await member.api.sendMessage({ chat_id: chat?.id ?? '', text: 'hello' });
  await world.turnsEnded();
  const guide = "(SELECT key FROM accounts WHERE username = 'parley:guide')";
  await world.sql(`UPDATE accounts SET parent_key = NULL WHERE key = ${guide}`);
  const before = await stored();
  await world.sql(`UPDATE stored_bytes SET owner_key = ${guide}
    WHERE owner_key = (SELECT key FROM accounts WHERE username = 'parley')`);
  await world.sql("DELETE FROM accounts WHERE username = 'parley'");
  await world.restart();
  expect(await member.api.getUser({ username: 'parley:guide' })).toMatchObject({ parent_username: 'parley' });
  expect(await stored()).toEqual(before);
});

test('ACCT-5: a person who has the service’s name from before it was reserved does not become the guide’s owner', async () => {
  await using world = await createWorld();
  const person = await world.person('ann');
  await world.sql("UPDATE accounts SET parent_key = NULL WHERE username = 'parley:guide'");
  await world.sql("UPDATE accounts SET password_hash = 'of a person' WHERE username = 'parley'");
  await world.restart();
  expect(await person.api.getUser({ username: 'parley:guide' })).not.toHaveProperty('parent_username');
});
