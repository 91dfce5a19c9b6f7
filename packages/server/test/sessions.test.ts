import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Session } from '@parley/protocol';
import { defaultSettings } from '@parley/server/settings.ts';
import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedBytes } from './stored-bytes.ts';

const password = 'correct horse battery staple';
const refused = (code: string) => ({ code });
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const idsOf = ({ items }: { items: Session[] }) => items.map(({ id }) => id);

/** Lets time pass in steps in which sockets show that they live. */
async function pass(world: World, clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 20_000) {
    await clock.advance(Math.min(left, 20_000));
    await world.settle();
  }
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('AUTH-4: a development token and a bot have no session', async () => {
  const dev = await world.person('sessionless');
  for (const { api } of [dev, await world.bot(dev)]) {
    await expect(api.signOut()).rejects.toMatchObject({ status: 400, code: 'invalid_argument' });
    expect(await api.getSessions()).toEqual({ items: [] });
  }
});

test('AUTH-5: tokens are 256 random bits, and only their hashes are written down', async () => {
  const member = await world.member();
  const bot = await world.bot(member);
  const again = await world.signIn(member);
  expect(member.token).toMatch(/^s_[\w-]{43}$/);
  expect(bot.token).toMatch(/^mb_[\w-]{43}$/);
  expect(again.token).not.toBe(member.token);
  const stored = storedBytes(world);
  for (const { token } of [member, bot, again]) {
    expect(stored.includes(sha256(token))).toBe(true);
    expect(stored.includes(token.replace(/^\w+?_/, ''))).toBe(false);
  }
});

test('AUTH-7, AUTH-9: terminateSession ends one session of the caller’s, its token and its sockets; a foreign one is not there', async () => {
  const member = await world.member();
  const lost = await world.signIn(member);
  const stranger = await world.member();
  const [own, others] = [await member.socket(), await lost.socket()];
  const session_id = (await lost.api.getSessions()).items.find(({ is_current }) => is_current)?.id ?? '';
  const notThere = { status: 404, description: 'not found: session' };
  await expect(stranger.api.terminateSession({ session_id })).rejects.toMatchObject(notThere);
  await member.api.terminateSession({ session_id });
  expect(await others.closed).toMatchObject({ code: 4401 });
  await expect(lost.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
  await expect(member.api.terminateSession({ session_id })).rejects.toMatchObject(notThere);
  await expect(member.api.terminateSession({ session_id: 'none' })).rejects.toMatchObject({ status: 400 });
  expect(own.isOpen).toBe(true);
  expect((await member.api.getSessions()).items).toHaveLength(1);
});

test('AUTH-8: a development token makes its account, and opens none that has a password', async () => {
  const newcomer = new Actor(world, 'made_now', 'dev:made_now');
  expect(await newcomer.api.getMe()).toMatchObject({ username: 'made_now', kind: 'human' });
  const member = await world.member();
  for (const token of [`dev:${member.username}`, 'dev:', 'dev:No', 'dev:parley:guide', 'dev:made_now:provider_a'])
    await expect(new Actor(world, '', token).api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
});

test('AUTH-2, AUTH-11, TRANS-6: signIn gives a new session each time, by HTTP and on a socket, which stays as it was', async () => {
  const member = await world.member();
  const { username } = member;
  const device = { name: 'laptop' };
  const one = await member.api.signIn({ username, password, device });
  expect(one).toMatchObject({ account: { username }, session: { device_name: 'laptop', is_current: true } });
  const socket = await (await world.person('onlooker')).socket();
  const two = (await socket.rpc('auth.login', { username, password })) as typeof one; // as declared
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

test('AUTH-12: getSessions lists the newest first, and says which one asks', async () => {
  const member = await world.member();
  const second = await world.signIn(member);
  const third = await world.signIn(member);
  const { items } = await second.api.getSessions();
  expect(items.map(({ is_current }) => is_current)).toEqual([false, true, false]);
  expect(idsOf(await third.api.getSessions())).toEqual(idsOf({ items }));
  expect((await third.api.getSessions()).items[0]?.is_current).toBe(true);
});

test('AUTH-13: terminateOtherSessions leaves the current one alone, and says how many ended', async () => {
  const member = await world.member();
  const others = [await world.signIn(member), await world.signIn(member)];
  const sockets = await Promise.all(others.map((other) => other.socket()));
  const own = await member.socket();
  expect(await member.api.terminateOtherSessions()).toEqual({ terminated: 2 });
  for (const socket of sockets) expect(await socket.closed).toMatchObject({ code: 4401 });
  for (const other of others) await expect(other.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
  expect(own.isOpen).toBe(true);
  expect(await member.api.terminateOtherSessions()).toEqual({ terminated: 0 });
  const dev = await world.person('sessionless');
  expect(await dev.api.terminateOtherSessions()).toEqual({ terminated: 0 });
});

test('AUTH-7, AUTH-14: signOut ends the current session and no other', async () => {
  const member = await world.member();
  const other = await world.signIn(member);
  const [socket, second] = [await member.socket(), await member.socket('nodrafts')];
  expect(await member.api.signOut()).toBeUndefined();
  for (const { closed } of [socket, second]) expect(await closed).toMatchObject({ code: 4401 });
  await expect(member.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
  expect((await other.api.getSessions()).items).toHaveLength(1);
});

test('AUTH-15: a socket that ends its own session has the answer before the close; what sockets of it send then is no request', async () => {
  const member = await world.member();
  const other = await world.signIn(member);
  const { id: chat_id } = await member.api.startChat({ username: member.username });
  const [socket, unaware] = [await member.socket(), await member.socket()];
  // It has not read that it is closed.
  unaware.pause();
  expect(await socket.rpc('signOut')).toBeUndefined();
  expect(await socket.closed).toMatchObject({ code: 4401 });
  await other.api.sendMessage({ chat_id, text: 'not for them' });
  unaware.send(JSON.stringify({ id: 'late', method: 'sendMessage', params: { chat_id, text: 'too late' } }));
  await world.settle();
  unaware.resume();
  expect(await unaware.closed).toMatchObject({ code: 4401 });
  expect([...socket.frames, ...unaware.frames, ...unaware.replies]).toEqual([]);
  const { items } = await other.api.getChatHistory({ chat_id });
  expect(items.map(({ content }) => content)).toEqual(['not for them']);
});

test('TRANS-3, TRANS-4, TRANS-5: an operation without fields takes any empty body; nothing to return is `{ ok: true }` alone', async () => {
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

test('AUTH-8, CONFIG-3: without development tokens `dev:` opens nothing', async () => {
  await using world = await createWorld({ env: { DEV_TOKENS: '0' } });
  await expect(world.person('ann')).rejects.toMatchObject(refused('unauthenticated'));
  const member = await world.member();
  await expect(member.api.getUser({ username: 'ann' })).rejects.toMatchObject(refused('not_found'));
});

describe('the time of sessions', () => {
  const minute = 60_000;

  test('AUTH-6: a session lasts 180 days', () => {
    expect(defaultSettings.sessionLifetimeMs).toBe(180 * 24 * 60 * minute);
  });

  test('AUTH-6: it ends some time after its last use, which is written down once a minute at most', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionLifetimeMs: 10 * minute } });
    const member = await world.member();
    const begun = clock.now();
    const lastUse = async () => Date.parse((await member.api.getSessions()).items[0]?.last_active_at ?? '');
    const used = async () => {
      await member.api.getMe();
      await clock.advance(1_000);
      await world.settle();
      return (await lastUse()) - begun;
    };
    await clock.advance(minute - 2_000);
    expect(await used()).toBe(0);
    await clock.advance(1_000);
    expect(await used()).toBeGreaterThanOrEqual(minute);
    // Ten minutes from the beginning it goes on, ten minutes from its use it has ended.
    await clock.advance(9 * minute + 30_000);
    expect(await used()).toBeGreaterThan(10 * minute);
    await clock.advance(10 * minute);
    await expect(member.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
    await expect(member.socket()).rejects.toMatchObject({ status: 401 });
    const again = await world.signIn(member);
    expect((await again.api.getSessions()).items).toHaveLength(1);
  });

  test('AUTH-6: a live socket keeps its session, every 5 minutes', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionLifetimeMs: 10 * minute } });
    const member = await world.member();
    const socket = await member.socket();
    const begun = clock.now();
    await pass(world, clock, 4 * minute);
    const lastUse = async () =>
      Date.parse((await (await world.signIn(member)).api.getSessions()).items.at(-1)?.last_active_at ?? '');
    expect(await lastUse()).toBe(begun);
    await pass(world, clock, 8 * minute);
    expect(await lastUse()).toBeGreaterThanOrEqual(begun + 10 * minute);
    expect(socket.isOpen).toBe(true);
    expect(await socket.rpc('auth.me')).toMatchObject({ username: member.username });
  });

  test('AUTH-6: the sockets of a session that has expired are closed', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionLifetimeMs: minute } });
    const socket = await (await world.member()).socket();
    await pass(world, clock, 40_000);
    expect(socket.isOpen).toBe(true);
    await pass(world, clock, 40_000);
    expect(await socket.closed).toMatchObject({ code: 4401 });
  });

  test('AUTH-16: a call whose body is slow to come is nobody’s when its session has ended meanwhile', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const member = await world.member();
    const body = '{"username":"member1"}';
    const slowCall = request(`${world.url}/api/startChat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${member.token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    const replied = once(slowCall, 'response');
    slowCall.flushHeaders();
    await once(slowCall, 'continue');
    await member.api.signOut();
    await clock.advance(250);
    slowCall.end(body);
    const [reply] = (await replied) as [IncomingMessage]; // what the event brings
    reply.resume();
    expect(reply.statusCode).toBe(401);
    const again = await world.signIn(member);
    expect((await again.api.getChats()).items).toHaveLength(1);
  });
});
