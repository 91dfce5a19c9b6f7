import { createHash } from 'node:crypto';
import type { Session } from '@parley/protocol';
import { Actor, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedBytes } from '../helpers/stored-bytes.ts';

const password = 'correct horse battery staple';
const refused = (code: string) => ({ code });
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const idsOf = ({ items }: { items: Session[] }) => items.map(({ id }) => id);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('AUTH-4: development tokens and bots have no session', async () => {
  const dev = await world.person('sessionless');
  for (const { api } of [dev, await world.bot(dev)]) {
    await expect(api.signOut()).rejects.toMatchObject({ status: 400, code: 'invalid_argument' });
    expect(await api.getSessions()).toEqual({ items: [] });
  }
});

test('AUTH-5: tokens are 256 random bits, and only their hashes are stored', async () => {
  const member = await world.member();
  const bot = await world.bot(member);
  const again = await world.signIn(member);
  expect(member.token).toMatch(/^s_[\w-]{43}$/);
  expect(bot.token).toMatch(/^mb_[\w-]{43}$/);
  expect(again.token).not.toBe(member.token);
  const stored = await storedBytes(world);
  for (const { token } of [member, bot, again]) {
    expect(stored.includes(sha256(token))).toBe(true);
    expect(stored.includes(token.replace(/^\w+?_/, ''))).toBe(false);
  }
});

test('AUTH-8: a development token creates its account, and does not open one that has a password', async () => {
  const newcomer = new Actor(world, 'made_now', 'dev:made_now');
  expect(await newcomer.api.getMe()).toMatchObject({ username: 'made_now', kind: 'human' });
  const member = await world.member();
  for (const token of [`dev:${member.username}`, 'dev:', 'dev:parley:guide', 'dev:made_now:provider_a'])
    await expect(new Actor(world, '', token).api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
});

test('AUTH-2, AUTH-11, TRANS-6: each signIn over HTTP or a socket creates a session; the socket keeps its own account', async () => {
  const member = await world.member();
  const { username } = member;
  const device = { name: 'laptop' };
  const one = await member.api.signIn({ username, password, device });
  expect(one).toMatchObject({ account: { username }, session: { device_name: 'laptop', is_current: true } });
  const socket = await (await world.person('onlooker')).socket();
  const two = (await socket.rpc('auth.login', { username, password })) as typeof one; // its declared result
  expect(await socket.rpc('auth.me')).toMatchObject({ username: 'onlooker' });
  expect(two.session).not.toHaveProperty('device_name');
  expect(new Set([member.token, one.token, two.token]).size).toBe(3);
  const wrong = { status: 401, code: 'unauthenticated' };
  const failures = await Promise.all(
    [
      { username, password: 'wrong password' },
      { username: 'nobody_at_all', password },
      { username: 'onlooker', password },
    ].map((params) => member.api.signIn(params).catch((error: unknown) => error)),
  );
  for (const failure of failures) expect(failure).toMatchObject(wrong);
  expect(new Set(failures.map(String)).size).toBe(1);
});

test('AUTH-12: getSessions lists the newest first, and marks the caller’s', async () => {
  const member = await world.member();
  const second = await world.signIn(member);
  const third = await world.signIn(member);
  const { items } = await second.api.getSessions();
  expect(items.map(({ is_current }) => is_current)).toEqual([false, true, false]);
  expect(idsOf(await third.api.getSessions())).toEqual(idsOf({ items }));
  expect((await third.api.getSessions()).items[0]?.is_current).toBe(true);
});

test('TRANS-3, TRANS-4, TRANS-5: an operation without fields accepts any empty body; one without a result returns `{ ok: true }`', async () => {
  const member = await world.member();
  const call = (name: string, init: RequestInit) => fetch(`${world.url}/api/${name}`, { method: 'POST', ...init });
  const authorization = `Bearer ${member.token}`;
  for (const init of [
    { headers: { authorization } },
    { headers: { authorization, 'content-type': 'application/json' }, body: '' },
    { headers: { authorization, 'content-type': 'text/plain' }, body: '' },
    { headers: { authorization, 'content-type': 'application/json; charset=utf-8' }, body: '{}' },
  ]) {
    const reply = await call('getMe', init);
    expect(await reply.json()).toEqual({ ok: true, result: await member.api.getMe() });
  }
  const bare = await call('signOut', { headers: { authorization } });
  expect(await bare.json()).toEqual({ ok: true });
  const error = await call('signOut', { headers: { authorization } });
  expect(error.status).toBe(401);
  for (const { headers } of [bare, error]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(bare.headers.get('x-request-id')).not.toBe(error.headers.get('x-request-id'));
});

test('AUTH-8, CONFIG-3: with development tokens disabled `dev:` tokens are invalid', async () => {
  await using world = await createWorld({ env: { DEV_TOKENS: '0' } });
  await expect(world.person('ann')).rejects.toMatchObject(refused('unauthenticated'));
  const member = await world.member();
  await expect(member.api.getUser({ username: 'ann' })).rejects.toMatchObject(refused('not_found'));
});
