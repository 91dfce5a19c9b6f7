import { defaultSettings } from '@parley/server/core/settings.ts';
import { Actor, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { HeldReads } from '@parley/testing/stores/slow-reads.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RawConnection } from '../helpers/raw-http.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const refused = { status: 401, code: 'unauthenticated' };

/** Advances the clock in steps; the sockets answer pings in each. */
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

/** Calls an operation over HTTP or over the given socket. */
const callBy = (way: 'HTTP' | 'socket', { api }: Actor, socket: TestSocket) => ({
  signOut: () => (way === 'HTTP' ? api.signOut() : socket.rpc('signOut')),
  terminateSession: (session_id: string) =>
    way === 'HTTP' ? api.terminateSession({ session_id }) : socket.rpc('terminateSession', { session_id }),
  terminateOtherSessions: () => (way === 'HTTP' ? api.terminateOtherSessions() : socket.rpc('terminateOtherSessions')),
});
const ways = ['HTTP', 'socket'] as const;

test.each(ways)(
  'AUTH-7, AUTH-9: terminateSession by %s ends one of the caller’s sessions with its token and sockets; another account’s is 404',
  async (way) => {
    const member = await world.member();
    const lost = await world.signIn(member);
    const stranger = await world.member();
    const [own, others, foreign] = [await member.socket(), await lost.socket(), await stranger.socket()];
    const session_id = (await lost.api.getSessions()).items.find(({ is_current }) => is_current)?.id ?? '';
    const notThere = { status: 404, description: 'not found: session' };
    const { terminateSession } = callBy(way, member, own);
    await expect(callBy(way, stranger, foreign).terminateSession(session_id)).rejects.toMatchObject(notThere);
    await terminateSession(session_id);
    expect(await others.closed).toMatchObject({ code: 4401 });
    await expect(lost.api.getMe()).rejects.toMatchObject(refused);
    await expect(terminateSession(session_id)).rejects.toMatchObject(notThere);
    await expect(terminateSession('none')).rejects.toMatchObject({ status: 400 });
    expect(await own.rpc('getMe')).toMatchObject({ username: member.username });
    expect((await member.api.getSessions()).items).toHaveLength(1);
  },
);

test.each(ways)(
  'AUTH-13: terminateOtherSessions by %s ends all sessions but the current one, and returns how many',
  async (way) => {
    const member = await world.member();
    const others = [await world.signIn(member), await world.signIn(member)];
    const sockets = await Promise.all(others.map((other) => other.socket()));
    const own = await member.socket();
    const { terminateOtherSessions } = callBy(way, member, own);
    expect(await terminateOtherSessions()).toEqual({ terminated: 2 });
    for (const socket of sockets) expect(await socket.closed).toMatchObject({ code: 4401 });
    for (const other of others) await expect(other.api.getMe()).rejects.toMatchObject(refused);
    expect(await own.rpc('getMe')).toMatchObject({ username: member.username });
    expect(await terminateOtherSessions()).toEqual({ terminated: 0 });
    const dev = await world.person('sessionless');
    expect(await dev.api.terminateOtherSessions()).toEqual({ terminated: 0 });
  },
);

test.each(ways)('AUTH-7, AUTH-14: signOut by %s ends only the current session', async (way) => {
  const member = await world.member();
  const other = await world.signIn(member);
  const [socket, second, stays] = [await member.socket(), await member.socket('nodrafts'), await other.socket()];
  expect(await callBy(way, member, socket).signOut()).toBeUndefined();
  for (const { closed } of [socket, second]) expect(await closed).toMatchObject({ code: 4401 });
  await expect(member.api.getMe()).rejects.toMatchObject(refused);
  expect(await stays.rpc('getMe')).toMatchObject({ username: member.username });
  expect((await other.api.getSessions()).items).toHaveLength(1);
});

test('AUTH-15: a socket that ends its own session gets the answer before the close; later requests on the session’s sockets are ignored', async () => {
  const member = await world.member();
  const other = await world.signIn(member);
  const { id: chat_id } = await member.api.startChat({ username: member.username });
  const [socket, unaware] = [await member.socket(), await member.socket()];
  // This client has not read its close frame yet.
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

test.each(['rotateBotToken', 'deleteBot'] as const)(
  'BOT-2, BOT-4, AUTH-7: %s closes the sockets of the bot',
  async (name) => {
    const alice = await world.person('alice');
    const bot = await world.bot(alice, name.toLowerCase());
    const socket = await bot.socket();
    const own = await alice.socket();
    await own.rpc(name, { username: bot.username });
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await expect(bot.api.getMe()).rejects.toMatchObject(refused);
    await expect(bot.socket()).rejects.toMatchObject({ status: 401 });
    expect(own.isOpen).toBe(true);
  },
);

test('AUTH-7: if a session ends during an upgrade, the socket is not opened', async () => {
  const held = new HeldReads();
  await using own = await createWorld({ wrapRead: held.wrap });
  // Tests a single node: another node would learn of the session's end, and close the socket, a moment later.
  own.stayOnFirst();
  const member = await own.member();
  const lost = await own.signIn(member);
  const admission = held.hold('WHERE s.token_hash');
  const refusal = failure(lost.socket());
  await admission.asked;
  await member.api.terminateOtherSessions();
  admission.release();
  expect(await refusal).toMatchObject({ status: 401 });
  expect(own.service.sockets.count).toBe(0);
});

test('DRAIN-2: if the service stops during an upgrade, the socket is not opened', async () => {
  const held = new HeldReads();
  await using own = await createWorld({ wrapRead: held.wrap });
  own.stayOnFirst();
  const member = await own.member();
  const admission = held.hold('WHERE s.token_hash');
  const refusal = failure(member.socket());
  await admission.asked;
  await own.service.drain(0);
  admission.release();
  expect(await refusal).toMatchObject({ status: 503 });
  expect(own.service.sockets.count).toBe(0);
  // Now no token is looked for.
  expect(await failure(new Actor(own, member.username, 'unknown').socket())).toMatchObject({ status: 503 });
});

describe('the time of sessions', () => {
  const minute = 60_000;

  test('AUTH-6: a session lasts 180 days', () => {
    expect(defaultSettings.sessionLifetimeMs).toBe(180 * 24 * 60 * minute);
  });

  test('AUTH-6: a session expires a fixed time after its last use, which is stored at most once a minute', async () => {
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
    // The session is still valid ten minutes after its start, and ends ten minutes after its last use.
    await clock.advance(9 * minute + 30_000);
    expect(await used()).toBeGreaterThan(10 * minute);
    await clock.advance(10 * minute);
    await expect(member.api.getMe()).rejects.toMatchObject(refused);
    await expect(member.socket()).rejects.toMatchObject({ status: 401 });
    const again = await world.signIn(member);
    expect((await again.api.getSessions()).items).toHaveLength(1);
  });

  test('AUTH-6: a live socket renews its session every 5 minutes; a session without a socket expires', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionLifetimeMs: 10 * minute } });
    const member = await world.member();
    const idle = await world.signIn(member);
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
    await expect(idle.api.getMe()).rejects.toMatchObject(refused);
  });

  test('AUTH-6: the socket of an expired session is closed with 4401 at the next tick, and the row is deleted', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionLifetimeMs: 20_000 } });
    const member = await world.member();
    const socket = await member.socket();
    await clock.advance(26_000);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await clock.advance(3_600_000);
    await world.settle();
    expect(await rowsIn(world, 'sessions')).toBe(0);
  });

  test('AUTH-17: a session above the maximum ends the least recently used one, with its sockets and push tokens', async () => {
    expect(defaultSettings.sessionsPerAccount).toBe(200);
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionsPerAccount: 3 } });
    const stranger = await world.member();
    const oldest = await world.member();
    await clock.advance(minute);
    const idle = await world.signIn(oldest);
    const socket = await idle.socket();
    await idle.api.registerPushToken({ token: 'the-idle-phone' });
    await idle.api.setDeviceNotificationPrefs({
      enabled: false,
      in_app: { sounds: true, vibrate: true, preview: true },
    });
    await clock.advance(minute);
    const third = await world.signIn(oldest);
    await oldest.api.getMe();
    await pass(world, clock, 2_000);
    expect(socket.isOpen).toBe(true);

    const fourth = await world.signIn(oldest);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await expect(idle.api.getMe()).rejects.toMatchObject(refused);
    for (const { api } of [stranger, oldest, third, fourth]) expect(await api.getMe()).toBeDefined();
    expect((await fourth.api.getSessions()).items).toHaveLength(3);
    const rows = (table: string) => world.service.read.all({ sql: `SELECT * FROM ${table}` });
    expect([...(await rows('push_tokens')), ...(await rows('device_prefs'))]).toEqual([]);
    // Concurrent sign-ins do not exceed the maximum either.
    await Promise.all(Array.from({ length: 4 }, () => world.signIn(fourth)));
    const last = await world.signIn(fourth);
    expect((await last.api.getSessions()).items).toHaveLength(3);
  });

  test.each([
    [249, 200],
    [250, 401],
  ])('AUTH-16: a call whose session ends while its body arrives for %i ms is answered with %i', async (ms, status) => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const member = await world.member();
    const connection = new RawConnection(world.url);
    const body = JSON.stringify({ username: member.username });
    connection.write(
      `POST /api/startChat HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${member.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    );
    // The service has read the head and authenticated the caller; it asks for the body.
    await connection.continued();
    await clock.advance(ms);
    await member.api.signOut();
    connection.write(body);
    expect(await connection.reply()).toMatchObject({ status });
    connection.end();
    // One of the chats is with the guide.
    const again = await world.signIn(member);
    expect((await again.api.getChats()).items).toHaveLength(status === 200 ? 2 : 1);
  });
});
