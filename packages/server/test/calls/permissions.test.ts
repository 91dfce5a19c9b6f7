import { ApiError } from '@parley/client';
import { type OperationName, operationNames, operations, type SocketMethod, socketMethods } from '@parley/protocol';
import { Actor, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  directScenes,
  everyOperation,
  type Outcome,
  outcomeFor,
  overSockets,
  roles,
  type Scene,
} from '../helpers/every-operation.ts';
import { exchange, HOST, JSON_TYPE, size, withHead } from '../helpers/raw-http.ts';

type Call = (params: Record<string, unknown>) => Promise<unknown>;

const overHttp = (actor: Actor, name: OperationName): Call =>
  // The caller passes params of this operation.
  (actor.api as unknown as Record<OperationName, Call>)[name];

/** The params with the field names of this method. */
function renamed({ rename = {} }: SocketMethod, params: Record<string, unknown>): Record<string, unknown> {
  const internal = new Map(Object.entries(rename).map(([theirs, own]) => [own, theirs]));
  return Object.fromEntries(Object.entries(params).map(([field, value]) => [internal.get(field) ?? field, value]));
}

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

  /** Every way to call an operation: HTTP, and each of its socket methods. */
  const waysTo = (name: OperationName): [way: string, (actor: Actor) => Promise<Call>][] => [
    ['HTTP', async (actor) => overHttp(actor, name)],
    ...[...socketMethods]
      .filter(([, { operation }]) => operation === name && overSockets(name))
      .map(([method, how]): [string, (actor: Actor) => Promise<Call>] => [
        method,
        async (actor) => {
          const socket = await socketOf(actor);
          return (params) => socket.rpc(method, renamed(how, params));
        },
      ]),
  ];

  test.each(operationNames)(
    'ERR-5, CONV-12, TRANS-1: %s is allowed or refused as declared, for every role, over HTTP and each socket method',
    async (name) => {
      const row = everyOperation[name];
      const found: string[] = [];
      const expected: string[] = [];
      let scene = await nextScene();
      // First the roles that are refused, because their calls do not change the scene.
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

  test.each(operationNames)('AUTH-1, TRANS-6: %s needs a valid token, unless it is open', async (name) => {
    const scene = await nextScene();
    for (const [kind, actor] of Object.entries(bad)) {
      const outcome = await outcomeOf(name, overHttp(actor, name)(everyOperation[name].params(scene)));
      const isOpen = operations[name].policy.open && everyOperation[name].others !== 'unauthenticated';
      expect([kind, outcome]).toEqual([
        kind,
        isOpen ? outcomeFor(everyOperation[name], 'stranger') : 'unauthenticated',
      ]);
    }
  });

  test('AUTH-10: without a valid token an upgrade is refused', async () => {
    for (const actor of Object.values(bad)) expect(await failure(actor.socket())).toMatchObject({ status: 401 });
  });

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
  ])('TRANS-13: %s needs a token like the plain path', async (path) => {
    const body = '{"username":"parley:guide"}';
    const head = `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}${size(body)}\r\n`;
    expect(await exchange(world.url, withHead(head, body))).toMatchObject({ status: 401 });
  });
});
