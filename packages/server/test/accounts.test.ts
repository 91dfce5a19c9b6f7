import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createApi } from '@parley/client';
import type { Session } from '@parley/protocol';
import { KeyRing } from '@parley/server/secrets/seal.ts';
import { defaultSettings } from '@parley/server/settings.ts';
import { Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from './agents.ts';

const password = 'correct horse battery staple';
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const refused = (code: string) => ({ code });
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const idsOf = ({ items }: { items: Session[] }) => items.map(({ id }) => id);

/** All that is written down. */
const storeOf = ({ dataDir }: World): Buffer =>
  Buffer.concat(
    ['parley.db', 'parley.db-wal']
      .map((name) => join(dataDir, name))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file)),
  );

/** Lets time pass in steps in which sockets show that they live. */
async function pass(world: World, clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 20_000) {
    await clock.advance(Math.min(left, 20_000));
    await world.settle();
  }
}

describe('accounts and sessions', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('ACCT-1, ACCT-2, ACCT-3, ACCT-4: who signs up has an account, a session, two agents and a chat with the guide', async () => {
    const visitor = new Actor(world, 'ann', '');
    const device = { name: 'phone', platform: 'ios', app_version: '1.2' };
    const { token, session, account } = await visitor.api.signUp({ username: 'ann', password, device });
    expect(account).toEqual({
      username: 'ann',
      kind: 'human',
      display_name: 'ann',
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
    expect(items.map(({ kind, participants }) => [kind, participants.map(({ username }) => username).toSorted()])).toEqual([
      ['direct', ['ann', 'parley:guide']],
    ]);
    const named = await visitor.api.signUp({ username: 'anna', password, display_name: 'Anna A.' });
    expect(named.account.display_name).toBe('Anna A.');
  });

  test('ACCT-2, ERR-9: a taken name is a conflict, also for the second of two at once, and for an account without a password', async () => {
    const { api } = new Actor(world, 'nobody', '');
    await world.person('devina');
    await expect(api.signUp({ username: 'devina', password })).rejects.toMatchObject(refused('conflict'));
    const both = await Promise.allSettled([1, 2].map(() => api.signUp({ username: 'twin', password })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 409, code: 'conflict' } });
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

  test('ACCT-3, ACCT-4: a development account has its two agents, and no chat with the guide', async () => {
    const { api } = await world.person('dev_one');
    expect((await api.getMyAgents()).items.map(({ username }) => username)).toEqual([
      'dev_one:provider_a',
      'dev_one:provider_b',
    ]);
    expect((await api.getChats()).items).toEqual([]);
  });

  test('ACCT-5: the guide is a public agent that nobody owns; its name is nobody else’s', async () => {
    const person = await world.person('curious');
    const guide = await person.api.getUser({ username: 'parley:guide' });
    expect(guide).toMatchObject({ username: 'parley:guide', kind: 'agent' });
    expect(guide).not.toHaveProperty('parent_username');
    expect(await person.api.startChat({ username: 'parley:guide' })).toMatchObject({ kind: 'direct' });
    await expect(person.api.signUp({ username: 'parley', password })).rejects.toMatchObject(refused('conflict'));
    const impostor = new Actor(world, 'parley', 'dev:parley');
    await expect(impostor.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
    await expect(person.api.getUser({ username: 'parley' })).rejects.toMatchObject(refused('not_found'));
  });

  test('ACCT-7: getMe is the caller, getUser anyone; an unknown name is not found', async () => {
    const { una, vera } = await world.people('una', 'vera');
    const me = await una.api.getMe();
    expect(me).toMatchObject({ username: 'una', kind: 'human', display_name: 'una' });
    expect(await vera.api.getUser({ username: 'una' })).toEqual(me);
    await expect(vera.api.getUser({ username: 'nobody_at_all' })).rejects.toMatchObject({
      status: 404,
      description: 'not found: account',
    });
  });

  test('ACCT-6: getUsers answers names in their order, without those that nobody has', async () => {
    const { wim, xena } = await world.people('wim', 'xena');
    const { items, next_cursor } = await wim.api.getUsers({ usernames: ['xena', 'nobody_at_all', 'wim', 'xena'] });
    expect(items).toEqual([await xena.api.getMe(), await wim.api.getMe()]);
    expect(next_cursor).toBeUndefined();
  });

  test('ACCT-6, PAGE-3: getUsers finds usernames that begin with the query, then display names, in any case, each once', async () => {
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

  test('PAGE-1: a limit is an integer of at least 1, and cut to the most', async () => {
    const { api } = await world.person('reader');
    for (const limit of [0, -1, 1.5, 2 ** 53, 1e300])
      await expect(api.getUsers({ limit })).rejects.toMatchObject({ status: 400, parameters: { field: 'limit' } });
    expect((await api.getUsers({ limit: 1 })).items).toHaveLength(1);
    const { items } = await api.getUsers({ limit: 2 ** 53 - 1 });
    expect(items.length).toBeLessThanOrEqual(200);
  });

  test('PAGE-2: a cursor of another list, or of nobody, is refused', async () => {
    const { api } = await world.person('reader');
    const { next_cursor: ofUsers } = await api.getUsers({ limit: 1 });
    expect(ofUsers).toBeDefined();
    await expect(api.getChats({ cursor: ofUsers })).rejects.toMatchObject({ status: 400, parameters: { field: 'cursor' } });
    await expect(api.getUsers({ cursor: 'made-up' })).rejects.toMatchObject({ status: 400 });
  });

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
    const stored = storeOf(world);
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
    const call = (name: string, init: RequestInit) =>
      fetch(`${world.url}/api/${name}`, { method: 'POST', ...init });
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
});

test('ACCT-2, CONFIG-8: where sign-up is closed nobody signs up, and the service says so', async () => {
  await using world = await createWorld({ env: { SIGN_UP: 'closed' } });
  const { api } = new Actor(world, 'ann', '');
  expect(await api.getServerInfo()).toMatchObject({ sign_up: 'closed' });
  await expect(api.signUp({ username: 'ann', password })).rejects.toMatchObject({ status: 403 });
  const person = await world.person('bob');
  await expect(person.api.getUser({ username: 'ann' })).rejects.toMatchObject(refused('not_found'));
});

test('AUTH-8, CONFIG-3: without development tokens `dev:` opens nothing', async () => {
  await using world = await createWorld({ env: { DEV_TOKENS: '0' } });
  await expect(world.person('ann')).rejects.toMatchObject(refused('unauthenticated'));
  const member = await world.member();
  await expect(member.api.getUser({ username: 'ann' })).rejects.toMatchObject(refused('not_found'));
});

test('ACCT-5: the guide of the first start is the guide of all', async () => {
  await using world = await createWorld();
  const person = await world.person('ann');
  const guide = await person.api.getUser({ username: 'parley:guide' });
  await world.restart();
  expect(await person.api.getUser({ username: 'parley:guide' })).toEqual(guide);
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
    const lastUse = async () => Date.parse((await (await world.signIn(member)).api.getSessions()).items.at(-1)?.last_active_at ?? '');
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

describe('bots', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('BOT-1, ACCT-1: createBot makes an agent of the caller’s and shows its token once', async () => {
    const { ann } = await world.people('ann');
    const { bot, token } = await ann.api.createBot({
      slug: 'helper',
      display_name: 'Helper',
      config_schema: [{ key: 'tone', label: 'Tone', type: 'string' }],
      secret_schema: [{ key: 'pin', label: 'Pin', type: 'string' }],
    });
    expect(bot).toEqual({
      username: 'ann:helper',
      kind: 'agent',
      display_name: 'Helper',
      parent_username: 'ann',
      created_at: expect.stringMatching(isoTime),
    });
    expect(await new Actor(world, bot.username, token).api.getMe()).toEqual(bot);
    for (const slug of ['helper', 'provider_a', 'provider_b'])
      await expect(ann.api.createBot({ slug, display_name: 'B' })).rejects.toMatchObject({ status: 409 });
    for (const slug of ['', 'No', 'a:b', 'x'.repeat(33)])
      await expect(ann.api.createBot({ slug, display_name: 'B' })).rejects.toMatchObject({ parameters: { field: 'slug' } });
    const field = { key: 'tone', label: 'Tone', type: 'string' } as const;
    for (const schemas of [{ config_schema: [field, field] }, { config_schema: [field], secret_schema: [field] }])
      await expect(ann.api.createBot({ slug: 'twice', display_name: 'B', ...schemas })).rejects.toMatchObject({ status: 400 });
    const daemon = new Actor(world, bot.username, token);
    await expect(daemon.api.createBot({ slug: 'own', display_name: 'B' })).rejects.toMatchObject({ status: 403 });
  });

  test('BOT-2: a new token ends the old one and the sockets that it opened', async () => {
    const { bea } = await world.people('bea');
    const old = await world.bot(bea);
    const socket = await old.socket();
    const { token } = await bea.api.rotateBotToken({ username: old.username });
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await expect(old.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
    const renewed = new Actor(world, old.username, token);
    expect(token).not.toBe(old.token);
    expect((await renewed.socket()).hello.params).toMatchObject({ username: old.username });
  });

  test('BOT-3: a bot is its owner’s; others are told so when they can see it, and that it is not there when they cannot', async () => {
    const { cleo, dora, eve } = await world.people('cleo', 'dora', 'eve');
    const chat = await world.group(cleo, dora);
    const { username } = await botIn(world, cleo, chat);
    for (const name of ['rotateBotToken', 'deleteBot'] as const) {
      await expect(dora.api[name]({ username })).rejects.toMatchObject({ status: 403 });
      await expect(eve.api[name]({ username })).rejects.toMatchObject({ status: 404, description: 'not found: agent' });
      await expect(eve.api[name]({ username: 'cleo:none' })).rejects.toMatchObject({ status: 404 });
      await expect(eve.api[name]({ username: 'parley:guide' })).rejects.toMatchObject({ status: 403 });
      await expect(cleo.api[name]({ username: 'cleo:provider_a' })).rejects.toMatchObject({ status: 400 });
    }
    expect(await cleo.api.getUser({ username })).toMatchObject({ username });
  });

  test('BOT-4, GROUP-8: a deleted bot leaves its groups, its replies end, what it said stays under its name', async () => {
    const { fay, gil } = await world.people('fay', 'gil');
    const chat = await world.group(fay, gil);
    const bot = await botIn(world, fay, chat);
    const direct = await world.direct(fay, bot);
    const socket = await bot.socket();
    const { id: said } = await bot.api.sendMessage({ chat_id: chat.id, text: 'said' });
    const { id: open } = await bot.api.startMessageStream({ chat_id: chat.id });
    await bot.api.appendMessageStream({ message_id: open, delta: 'half', offset: 4 });
    const watching = await gil.socket();
    await checkReplay(world, [fay, gil], () => fay.api.deleteBot({ username: bot.username }));
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await expect(bot.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
    expect(await watching.event('messageComplete')).toMatchObject({ id: open, status: 'cancelled', content: 'half' });
    const { items } = await gil.api.getChatHistory({ chat_id: chat.id });
    expect(items.map(({ id, sender }) => [id, sender.username])).toEqual([
      [said, bot.username],
      [open, bot.username],
    ]);
    expect((await gil.api.getChat({ chat_id: chat.id })).participant_count).toBe(2);
    expect((await fay.api.getChats()).items.map(({ id }) => id)).toContain(direct.id);
    await expect(fay.api.getUser({ username: bot.username })).rejects.toMatchObject({ status: 404 });
    await expect(fay.api.createBot({ slug: 'bot', display_name: 'B' })).rejects.toMatchObject({ status: 409 });
  });

  test('BOT-5: a bot takes part, sends and streams where it is a participant, and owns nothing', async () => {
    const { hal, ida } = await world.people('hal', 'ida');
    const chat = await world.group(hal, ida);
    const elsewhere = await world.group(hal, ida);
    const bot = await botIn(world, hal, chat);
    const own = await checkReplay(world, [hal, ida, bot], async () => {
      const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
      await bot.api.finishMessageStream({ message_id: id, text: 'streamed' });
      return bot.api.sendMessage({ chat_id: chat.id, text: 'sent' });
    });
    expect(own.sender).toEqual(await bot.api.getMe());
    const notThere = { status: 403, code: 'forbidden' };
    await expect(bot.api.sendMessage({ chat_id: elsewhere.id, text: 'x' })).rejects.toMatchObject(notThere);
    await expect(bot.api.startMessageStream({ chat_id: elsewhere.id })).rejects.toMatchObject(notThere);
    await expect(bot.api.startChat({ usernames: ['ida'], title: 'x' })).rejects.toMatchObject(notThere);
    await expect(bot.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-12345678' })).rejects.toMatchObject(notThere);
    expect((await bot.api.getMyAgents()).items).toEqual([]);
    expect((await bot.api.getChats()).items.map(({ id }) => id)).toEqual([chat.id]);
  });
});

describe('keys', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('KEY-1, KEY-7: getMyAgents tells whether there is a key, and setAgentKey no more than its tail', async () => {
    const { ann } = await world.people('ann');
    const bot = await world.bot(ann, 'helper');
    const configured = async () =>
      (await ann.api.getMyAgents()).items.map(({ provider, username, key_configured }) => [provider, username, key_configured]);
    const agents = (has: boolean) => [
      ['provider_a', 'ann:provider_a', has],
      ['provider_b', 'ann:provider_b', false],
      ['bot', bot.username, false],
    ];
    expect(await configured()).toEqual(agents(false));
    const result = await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-of-ann-12345' });
    expect(result).toEqual({ provider: 'provider_a', key_tail: '••••2345' });
    expect(await configured()).toEqual(agents(true));
    for (let times = 0; times < 2; times += 1) {
      expect(await ann.api.removeAgentKey({ provider: 'provider_a' })).toBeUndefined();
      expect(await configured()).toEqual(agents(false));
    }
  });

  test('KEY-2: keys are of the caller’s own two agents', async () => {
    const { bea } = await world.people('bea');
    const bot = await world.bot(bea);
    const key = { api_key: 'sk-12345678' };
    for (const provider of ['provider_c', 'bot', 'bea:provider_a', ''] as const) {
      const params = { provider: provider as 'provider_a' }; // what the types forbid
      await expect(bea.api.setAgentKey({ ...params, ...key })).rejects.toMatchObject({ status: 400 });
      await expect(bea.api.removeAgentKey(params)).rejects.toMatchObject({ status: 400 });
    }
    await expect(bot.api.setAgentKey({ provider: 'provider_a', ...key })).rejects.toMatchObject({ status: 403 });
    await expect(bot.api.removeAgentKey({ provider: 'provider_a' })).rejects.toMatchObject({ status: 403 });
  });

  test('KEY-3, KEY-6: a short key is masked whole, an empty one refused, white space around it dropped', async () => {
    const { cleo } = await world.people('cleo');
    const tailOf = async (api_key: string) => (await cleo.api.setAgentKey({ provider: 'provider_b', api_key })).key_tail;
    expect(await tailOf('1234567')).toBe('••••');
    expect(await tailOf('12345678')).toBe('••••5678');
    expect(await tailOf('  \n sk-12345678\t')).toBe('••••5678');
    expect(await tailOf('sk-\u{1f511}\u{1f511}\u{1f511}\u{1f511}\u{1f511}')).toBe('••••\u{1f511}\u{1f511}\u{1f511}\u{1f511}');
    for (const api_key of ['', '   ', 'sk-1234\n5678', 'sk-\u{7f}12345678'])
      await expect(tailOf(api_key)).rejects.toMatchObject({ status: 400, parameters: { field: 'api_key' } });
    world.providers.script('sk-12345678', { chunks: ['hello'] });
  });

  test('KEY-5: whoever fires an agent, it runs with the key that its owner has at that moment', async () => {
    const { dora, eve } = await world.people('dora', 'eve');
    const chat = await world.group(dora, eve);
    const [first, own] = [await keyedAgent(world, dora), await keyedAgent(world, eve)];
    for (const key of [first.key, own.key, 'the-second-key']) world.providers.script(key, { chunks: ['hello'] });
    await dora.api.addGroupAgent({ chat_id: chat.id, agent_username: first.username });
    const ask = async () => {
      await eve.api.sendMessage({ chat_id: chat.id, text: `@${first.username} hello` });
      await world.turnsEnded();
    };
    const requests = () => [first.key, 'the-second-key', own.key].map((key) => world.providers.requestsOf(key).length);
    await ask();
    expect(requests()).toEqual([1, 0, 0]);
    await dora.api.setAgentKey({ provider: 'provider_a', api_key: ' the-second-key ' });
    await ask();
    expect(requests()).toEqual([1, 1, 0]);
  });

  test('KEY-8: an agent without a key says what to do, and who fired it is alerted', async () => {
    const { fay, gil } = await world.people('fay', 'gil');
    const chat = await world.group(fay, gil);
    const agent_username = 'fay:provider_b';
    await fay.api.addGroupAgent({ chat_id: chat.id, agent_username });
    const [owners, askers] = [await fay.socket(), await gil.socket()];
    await checkReplay(world, [fay, gil], async () => {
      await gil.api.sendMessage({ chat_id: chat.id, text: `@${agent_username} hello` });
      await world.turnsEnded();
    });
    const { items } = await gil.api.getChatHistory({ chat_id: chat.id });
    expect(items.at(-1)).toMatchObject({
      status: 'failed',
      finish_reason: 'no_key',
      sender: { username: agent_username },
      content: expect.stringMatching(/key/i),
    });
    expect(await askers.event('alert')).toMatchObject({ level: 'error', text: expect.stringMatching(/key/i) });
    expect(owners.all('alert')).toEqual([]);
  });
});

test('KEY-4: the first key seals, all of them open: keys are changed by adding one in front', async () => {
  const [one, two] = ['one', 'two'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [string, string]; // two
  const env = { SECRETS_KEY: one };
  await using world = await createWorld({ env });
  const ann = await world.person('ann');
  const { agent, chat } = await agentChat(world, ann);
  world.providers.script(agent.key, { chunks: ['hello'] });
  const ask = async (): Promise<string> => {
    await ann.api.sendMessage({ chat_id: chat.id, text: 'hello' });
    await world.turnsEnded();
    const { items } = await ann.api.getChatHistory({ chat_id: chat.id });
    return items.at(-1)?.status ?? '';
  };
  expect(await ask()).toBe('complete');
  env.SECRETS_KEY = `${two},${one}`;
  await world.restart();
  expect(await ask()).toBe('complete');
  await keyedAgent(world, ann);
  env.SECRETS_KEY = two;
  await world.restart();
  expect(await ask()).toBe('complete');
});

test('KEY-4: sealed text opens where it was sealed for, unchanged, and nowhere else', () => {
  const key = (id: string) => ({ id, bytes: randomBytes(32) });
  const [old, next] = [key('old'), key('next')];
  const sealed = new KeyRing([old]).seal('a secret', 'agent:1:account:2:field:api_key');
  expect(sealed).not.toBe(new KeyRing([old]).seal('a secret', 'agent:1:account:2:field:api_key'));
  const open = (text: string, binding = 'agent:1:account:2:field:api_key', keys = [next, old]) =>
    new KeyRing(keys).open(text, binding);
  expect(open(sealed)).toBe('a secret');
  expect(() => open(sealed, 'agent:1:account:3:field:api_key')).toThrow();
  expect(() => open(sealed, 'agent:1:account:2:field:api_key', [next])).toThrow('unknown key');
  expect(() => open(sealed, 'agent:1:account:2:field:api_key', [key('old')])).toThrow();
  const [version, id, text = ''] = sealed.split(':');
  const bytes = Buffer.from(text, 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    expect(() => open(`${version}:${id}:${changed.toString('base64url')}`)).toThrow();
  }
});

test('KEY-9, AUTH-10: keys, passwords and tokens are in no log line, frame, error, metric or reply, and stored only sealed or hashed', async () => {
  await using world = await createWorld();
  const secrets = { key: 'sk-a-key-of-this-test', password: 'a password of this test' };
  const { api } = new Actor(world, 'ann', '');
  const { token } = await api.signUp({ username: 'ann', password: secrets.password });
  const ann = new Actor(world, 'ann', token);
  const bob = await world.person('bob');
  const seen: string[] = [];
  world.watcher = { begin: () => 0, read: (_receiver, text) => void seen.push(text) };
  const bot = await world.bot(ann);
  const tokenShownOnce = seen.splice(0).join();
  expect(tokenShownOnce).toContain(bot.token);
  const socket = await ann.socket();
  await bot.socket();
  const chat = await world.group(ann, bob);
  await checkReplay(world, [ann, bob], async () => {
    await ann.api.setAgentKey({ provider: 'provider_a', api_key: secrets.key });
    await ann.api.addGroupAgent({ chat_id: chat.id, agent_username: 'ann:provider_a' });
    world.providers.script(secrets.key, { status: 401, error: `bad key ${secrets.key}` }, { chunks: ['hello'] });
    for (const _ of [1, 2]) {
      await bob.api.sendMessage({ chat_id: chat.id, text: '@ann:provider_a hello' });
      await world.turnsEnded();
    }
  });
  const refusals = [
    () => ann.api.setAgentKey({ provider: 'provider_a', api_key: `${secrets.key}\n${secrets.key}` }),
    () => ann.api.setAgentKey({ provider: 'none' as 'provider_a', api_key: secrets.key }), // what the types forbid
    () => ann.api.signIn({ username: 'bob', password: secrets.password }),
    () => ann.api.signUp({ username: 'ann', password: secrets.password }),
    () => socket.rpc('signIn', { username: 'Ann', password: secrets.password, device: secrets.password }),
    () => createApi({ url: world.url, token: `${token}x` }).getMe(),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toThrow();
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  const places = { logs: JSON.stringify(world.logs), replies: seen.join(), metrics, store: storeOf(world).toString('latin1') };
  for (const [place, text] of Object.entries(places))
    for (const secret of [secrets.key, secrets.password, token, bot.token])
      expect([place, secret, text.includes(secret)]).toEqual([place, secret, false]);
  expect(seen.length).toBeGreaterThan(50);
});
