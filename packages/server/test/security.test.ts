import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '@parley/client';
import { type OperationName, operationNames, operations, type SocketMethod, socketMethods } from '@parley/protocol';
import { Actor, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directScenes, everyOperation, type Outcome, outcomeFor, roles, type Scene } from './every-operation.ts';
import { RawConnection } from './raw-http.ts';

type Call = (params: Record<string, unknown>) => Promise<unknown>;

const overHttp = (actor: Actor, name: OperationName): Call =>
  // Whatever the params are: they are for this operation.
  (actor.api as unknown as Record<OperationName, Call>)[name];

/** The params as this method calls them. */
function renamed({ rename = {} }: SocketMethod, params: Record<string, unknown>): Record<string, unknown> {
  const internal = new Map(Object.entries(rename).map(([theirs, own]) => [own, theirs]));
  return Object.fromEntries(Object.entries(params).map(([field, value]) => [internal.get(field) ?? field, value]));
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

async function outcomeOf(name: OperationName, call: Promise<unknown>): Promise<Outcome> {
  try {
    const result = await call;
    return everyOperation[name].shows?.(result) === false ? 'nothing' : 'ok';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe('who may call what', () => {
  let world: World;
  let nextScene: () => Promise<Scene>;
  const sockets = new Map<Actor, TestSocket>();
  const socketOf = async (actor: Actor): Promise<TestSocket> => {
    let socket = sockets.get(actor);
    if (!socket?.isOpen) sockets.set(actor, (socket = await actor.socket()));
    return socket;
  };

  beforeAll(async () => {
    world = await createWorld();
    nextScene = await directScenes(world);
  });
  afterAll(() => world.close());

  /** Every way to call an operation: HTTP, and each name that it has on a socket. */
  const waysTo = (name: OperationName): [way: string, (actor: Actor) => Promise<Call>][] => [
    ['HTTP', async (actor) => overHttp(actor, name)],
    ...[...socketMethods]
      .filter(([, { operation }]) => operation === name)
      .map(([method, how]): [string, (actor: Actor) => Promise<Call>] => [
        method,
        async (actor) => {
          const socket = await socketOf(actor);
          return (params) => socket.rpc(method, renamed(how, params));
        },
      ]),
  ];

  test.each(operationNames)(
    'ERR-5, CONV-12, TRANS-1: %s is for whom it is, by every way and for every role',
    async (name) => {
      const row = everyOperation[name];
      const found: string[] = [];
      const expected: string[] = [];
      let scene = await nextScene();
      // Those who are refused first: they leave the scene as it is.
      const order = roles.toSorted((a, b) => Number(outcomeFor(row, a) === 'ok') - Number(outcomeFor(row, b) === 'ok'));
      for (const [way, prepare] of waysTo(name))
        for (const role of order) {
          const call = await prepare(scene.actors[role]);
          const outcome = await outcomeOf(name, call(row.params(scene)));
          found.push(`${role} by ${way}: ${outcome}`);
          expected.push(`${role} by ${way}: ${outcomeFor(row, role)}`);
          if (outcome === 'ok' && row.changes) scene = await nextScene();
        }
      expect(found).toEqual(expected);
    },
  );
});

describe('tokens', () => {
  const clock = new ManualClock();
  let world: World;
  let bad: Record<'none' | 'expired' | 'ended' | 'rotated' | 'made up', Actor>;
  let nextScene: () => Promise<Scene>;

  beforeAll(async () => {
    world = await createWorld({ clock, settings: { sessionLifetimeMs: 60_000 } });
    nextScene = await directScenes(world);
    const expired = await world.member('eve');
    await clock.advance(60_000);
    const ended = await world.member('edward');
    await ended.api.signOut();
    const owner = await world.member('olive');
    const rotated = await world.bot(owner);
    await owner.api.rotateBotToken({ username: rotated.username });
    const bearing = (token: string) => new Actor(world, 'nobody', token);
    bad = { none: bearing(''), expired, ended, rotated, 'made up': bearing(`s_${'A'.repeat(43)}`) };
  });
  afterAll(() => world.close());

  test.each(operationNames)('AUTH-1, TRANS-6: %s wants a token that is good, unless it is open', async (name) => {
    const { open }: { open?: boolean } = operations[name];
    const scene = await nextScene();
    for (const [kind, actor] of Object.entries(bad)) {
      const outcome = await outcomeOf(name, overHttp(actor, name)(everyOperation[name].params(scene)));
      const isOpen = open && name !== 'signIn';
      expect([kind, outcome]).toEqual([kind, isOpen ? 'ok' : 'unauthenticated']);
    }
  });

  test('AUTH-10: without a good token there is no socket', async () => {
    for (const actor of Object.values(bad)) expect(await failure(actor.socket())).toMatchObject({ status: 401 });
  });
});

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('what nobody is told', () => {
  test.each([
    '/%61pi/getUser',
    '/api/%67etUser',
    '/%61%70%69/getUser',
    'http://127.0.0.1/api/getUser',
    'https://elsewhere.example/api/getUser',
    '/api/getUser?open=1',
    '/api/getUser#signIn',
    '/api/signIn/../getUser',
    '/api//getUser',
    '/api/getUser/',
    '/api/getUser%00',
    '/api/',
  ])('TRANS-13: %s wants a token as the plain path does', async (path) => {
    await using world = await createWorld();
    await world.person('alice');
    const connection = new RawConnection(world.url);
    const body = JSON.stringify({ username: 'alice' });
    connection.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await connection.reply()).toMatchObject({ status: 401 });
    connection.end();
  });

  test('ERR-7: what is private to somebody else answers as what is not there', async () => {
    await using world = await createWorld();
    const { alice } = await world.people('alice');
    const member = await world.member();
    const [session] = (await member.api.getSessions()).items;
    const { hello } = await member.socket();
    const answers = (calls: Promise<unknown>[]) => Promise.all(calls.map(failure));
    const [theirs, unknown] = await answers([
      alice.api.terminateSession({ session_id: session?.id ?? '' }),
      alice.api.terminateSession({ session_id: UNKNOWN }),
    ]);
    expect(theirs).toEqual(unknown);
    const [theirSocket, unknownSocket] = await answers([
      alice.api.getUpdates({ since: 0, socket: hello.socket }),
      alice.api.getUpdates({ since: 0, socket: UNKNOWN }),
    ]);
    expect(theirSocket).toEqual(unknownSocket);
    expect(theirs).toMatchObject({ status: 404 });
    expect(theirSocket).toMatchObject({ status: 404 });
  });

  test('AUTH-2: signIn answers a wrong password, an unknown name, an agent and an account without a password alike', async () => {
    await using world = await createWorld();
    const member = await world.member('maria');
    await world.person('daniel');
    const names = [member.username, 'nobody', 'maria:provider_a', 'daniel', 'maria ', 'MARIA', 'parley:guide'];
    const visitor = new Actor(world, '', '');
    const answers = await Promise.all(
      names.map((username) => failure(visitor.api.signIn({ username, password: 'a wrong one' }))),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('ERR-6, HIST-3, HIST-7, MSG-6, MSG-7, PIN-2, CONV-8: the message of another conversation is not there', async () => {
    await using world = await createWorld();
    const { alice, bob, eve } = await world.people('alice', 'bob', 'eve');
    const secret = await world.direct(alice, bob);
    const { id: foreign } = await alice.api.sendMessage({ chat_id: secret.id, text: 'between us' });
    const { id: chat_id } = await world.group(eve);
    const { id: own } = await eve.api.sendMessage({ chat_id, text: 'mine' });
    const calls = (id: string): Promise<unknown>[] => [
      eve.api.getChatHistory({ chat_id, around: id }),
      eve.api.getChatHistory({ chat_id, after: id }),
      eve.api.getChatHistory({ chat_id, thread_root_id: id }),
      eve.api.sendMessage({ chat_id, text: 'x', reply_to_message_id: id }),
      eve.api.sendMessage({ chat_id, text: 'x', thread_root_id: id }),
      eve.api.sendMessage({ chat_id, text: 'x', channel_id: id }),
      eve.api.pinMessage({ chat_id, message_id: id }),
      eve.api.unpinMessage({ chat_id, message_id: id }),
      eve.api.markRead({ chat_id, message_id: id }),
      eve.api.stopRun({ chat_id, message_id: id }),
      eve.api.sendChatAction({ chat_id, action: 'typing', thread_root_id: id }),
    ];
    const ofForeign = await Promise.all(calls(foreign).map(failure));
    const ofUnknown = await Promise.all(calls(UNKNOWN).map(failure));
    expect(ofForeign).toEqual(ofUnknown);
    for (const answer of ofForeign) expect(answer).toMatchObject({ status: 404 });
    expect(await eve.api.getMessages({ message_ids: [foreign, UNKNOWN] })).toEqual({ items: [] });
    expect(await eve.api.deleteMessages({ message_ids: [foreign, UNKNOWN, own] })).toEqual({ ids: [own] });
    expect(await eve.api.deleteMessagesForMe({ message_ids: [foreign, UNKNOWN] })).toEqual({ ids: [] });
    expect((await bob.api.getChatHistory({ chat_id: secret.id })).items).toHaveLength(1);
  });

  test('LOG-13, GROUP-8: who was removed hears nothing more, on no socket and in no replay', async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.group(alice, bob);
    const socket = await bob.socket();
    await alice.api.sendMessage({ chat_id, text: 'for both' });
    await alice.api.removeMember({ chat_id, username: 'bob' });
    await alice.api.sendMessage({ chat_id, text: 'for alice alone' });
    await world.settle();
    expect(socket.all('messageNew').map(({ content }) => content)).toEqual(['for both']);
    const { frames } = await bob.api.getUpdates({ since: 0 });
    expect(JSON.stringify(frames)).not.toContain('for ');
    expect(await bob.api.getChats()).toMatchObject({ items: [] });
  });

  test('DRAFT-5: an input draft is told to the account alone', async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, bob);
    const [own, other] = [await alice.socket(), await bob.socket()];
    await alice.api.saveDraft({ chat_id, text: 'not yet said' });
    await world.settle();
    expect(own.all('draftUpdated')).toHaveLength(1);
    expect(other.frames).toEqual([]);
    expect(await bob.api.getDrafts()).toEqual({ items: [] });
    expect((await bob.api.getUpdates({ since: 0 })).frames).toEqual([]);
  });

  test('KEY-9, AUTH-5, AUTH-10: no token, password or key is in a log, an event, a reply, a metric or the store', async () => {
    await using world = await createWorld();
    const heard: string[] = [];
    world.watcher = { begin: () => 0, read: (_actor, text) => void heard.push(text) };
    const password = 'a passphrase that is looked for';
    const apiKey = 'sk-a-key-that-is-looked-for';
    const visitor = new Actor(world, 'vera', '');
    const { token } = await visitor.api.signUp({ username: 'vera', password });
    const vera = new Actor(world, 'vera', token);
    const signedIn = await visitor.api.signIn({ username: 'vera', password });
    await failure(visitor.api.signIn({ username: 'vera', password: `${password}!` }));
    await failure(vera.api.setAgentKey({ provider: 'provider_a', api_key: `${apiKey}\n\u0001` }));
    const bot = await world.bot(vera);
    const rotated = await vera.api.rotateBotToken({ username: bot.username });
    // Each was shown once, in the answer that made it.
    const shown = [token, signedIn.token, bot.token, rotated.token];
    for (const one of shown) expect(heard.filter((text) => text.includes(one))).toHaveLength(1);
    expect(shown.map((one) => /^(s|mb)_[\w-]{43}$/.test(one))).toEqual([true, true, true, true]);
    heard.length = 0;

    const socket = await vera.socket();
    const { key_tail } = await vera.api.setAgentKey({ provider: 'provider_a', api_key: apiKey });
    expect(key_tail).toBe('••••-for');
    await vera.api.getMyAgents();
    await vera.api.getSessions();
    const chat = await vera.api.startChat({ username: 'vera:provider_a' });
    await vera.api.sendMessage({ chat_id: chat.id, text: 'hello' });
    await socket.event('messageComplete');
    await world.turnsEnded();
    await vera.api.getUpdates({ since: 0 });
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    const files = readdirSync(world.dataDir).filter((name) => name !== 'secrets.key');
    const stored = files.map((name) => readFileSync(join(world.dataDir, name), 'latin1'));
    const places = { heard, logs: world.logs.map((line) => JSON.stringify(line)), metrics: [metrics], stored };
    for (const secret of [...shown, password, apiKey])
      for (const [place, texts] of Object.entries(places))
        expect([place, secret, texts.some((text) => text.includes(secret))]).toEqual([place, secret, false]);
    expect(metrics).not.toContain('vera');
  });

  test('CAPS-1: a cap that nobody knows changes nothing, whatever its name', async () => {
    await using world = await createWorld();
    const { alice } = await world.people('alice');
    const { id: chat_id } = await world.group(alice);
    const names = ['__defineGetter__', '__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '', ' '];
    const sockets = await Promise.all(names.map((caps) => alice.socket(caps)));
    await alice.api.sendMessage({ chat_id, text: 'heard by all' });
    for (const socket of sockets) await socket.event('messageNew');
  });
});

describe('sessions that end', () => {
  test('AUTH-15, AUTH-14: signOut by a socket is answered there, then that socket and the others of the session close', async () => {
    await using world = await createWorld();
    const member = await world.member();
    const elsewhere = await world.signIn(member);
    const [one, other, stays] = [await member.socket(), await member.socket(), await elsewhere.socket()];
    await one.rpc('signOut');
    expect(await one.closed).toMatchObject({ code: 4401 });
    expect(await other.closed).toMatchObject({ code: 4401 });
    expect(await failure(member.api.getMe())).toMatchObject({ status: 401 });
    expect(await stays.rpc('getMe')).toMatchObject({ username: member.username });
  });

  test.each(['terminateSession', 'terminateOtherSessions'] as const)(
    'AUTH-7, AUTH-9, AUTH-13: %s ends tokens and sockets at once, and a push of frames with them',
    async (name) => {
      await using world = await createWorld();
      const member = await world.member();
      const lost = await world.signIn(member);
      const socket = await lost.socket();
      const own = await member.socket();
      const [session] = (await member.api.getSessions()).items.filter(({ is_current }) => !is_current);
      if (name === 'terminateSession') await own.rpc(name, { session_id: session?.id });
      else expect(await own.rpc(name)).toEqual({ terminated: 1 });
      expect(await socket.closed).toMatchObject({ code: 4401 });
      expect(await failure(lost.api.getMe())).toMatchObject({ status: 401 });
      expect(await own.rpc('getMe')).toMatchObject({ username: member.username });
    },
  );

  test('AUTH-15: what a socket still sends when its session has ended is no request any more', async () => {
    await using world = await createWorld();
    const member = await world.member();
    const { id: chat_id } = await world.group(member);
    const lost = await world.signIn(member);
    const socket = await lost.socket();
    const [session] = (await member.api.getSessions()).items.filter(({ is_current }) => !is_current);
    const send = () =>
      socket.send(JSON.stringify({ id: 'late', method: 'sendMessage', params: { chat_id, text: 'late' } }));
    const ending = member.api.terminateSession({ session_id: session?.id ?? '' });
    // A stream of requests, before and behind the end.
    let isClosed = false;
    void socket.closed.then(() => (isClosed = true));
    await ending;
    const { items: before } = await member.api.getChatHistory({ chat_id });
    while (!isClosed) {
      if (socket.isOpen) send();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await world.settle();
    expect((await member.api.getChatHistory({ chat_id })).items).toHaveLength(before.length);
  });

  test.each(['rotateBotToken', 'deleteBot'] as const)(
    'BOT-2, BOT-4, AUTH-7: %s closes the sockets of the bot',
    async (name) => {
      await using world = await createWorld();
      const { alice } = await world.people('alice');
      const bot = await world.bot(alice);
      const socket = await bot.socket();
      const own = await alice.socket();
      await own.rpc(name, { username: bot.username });
      expect(await socket.closed).toMatchObject({ code: 4401 });
      expect(await failure(bot.api.getMe())).toMatchObject({ status: 401 });
      expect(await failure(bot.socket())).toMatchObject({ status: 401 });
      expect(own.isOpen).toBe(true);
    },
  );

  test('AUTH-6: a live socket keeps its session; without one it expires', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionLifetimeMs: 600_000 } });
    const member = await world.member();
    const idle = await world.signIn(member);
    const socket = await member.socket();
    for (let minutes = 0; minutes < 20; minutes += 1) {
      for (const ms of [25_000, 25_000, 10_000]) {
        await clock.advance(ms);
        await socket.caughtUp();
      }
    }
    await world.settle();
    expect(await member.api.getMe()).toMatchObject({ username: member.username });
    expect(await failure(idle.api.getMe())).toMatchObject({ status: 401 });
    expect((await member.api.getSessions()).items).toHaveLength(1);
  });

  test('AUTH-6: a socket whose session has expired is closed with 4401 at its next tick, and the row goes', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, settings: { sessionLifetimeMs: 20_000 } });
    const member = await world.member();
    const socket = await member.socket();
    await clock.advance(26_000);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await clock.advance(3_600_000);
    await world.settle();
    const rows = world.service.read.all<{ n: number }, []>({ sql: 'SELECT count(*) AS n FROM sessions' });
    expect(rows).toEqual([{ n: 0 }]);
  });

  test.each([
    [200, 200],
    [300, 401],
  ])('AUTH-16: a call whose body took %i ms, while its session ended, is answered with %i', async (ms, status) => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const member = await world.member();
    const connection = new RawConnection(world.url);
    const body = '{"username":"parley:guide"}';
    connection.write(
      `POST /api/getUser HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${member.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    );
    // The head is read, and the caller let in: the service asks for the rest.
    await connection.continued();
    await clock.advance(ms);
    await member.api.signOut();
    connection.write(body);
    expect(await connection.reply()).toMatchObject({ status });
    connection.end();
  });
});
