import { ApiError } from '@parley/client';
import { type OperationName, operationNames, operations, socketMethods, tokenScopes } from '@parley/protocol';
import { Actor, createWorld, type TestSocket, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directScenes, everyOperation, overSockets, type Scene } from '../helpers/every-operation.ts';

let world: World;
let nextScene: () => Promise<Scene>;
const bearers: { scope: string; actor: Actor; socket: TestSocket }[] = [];

beforeAll(async () => {
  world = await createWorld();
  nextScene = await directScenes(world);
  const { actors } = await nextScene();
  for (const scope of tokenScopes) {
    const { token } = await actors.owner.api.createAccessToken({ name: scope, scopes: [scope] });
    const actor = new Actor(world, actors.owner.username, token);
    bearers.push({ scope, actor, socket: await actor.socket() });
  }
});
afterAll(() => world.close());

type Call = (params: Record<string, unknown>) => Promise<unknown>;

function waysTo(name: OperationName, { actor, socket }: (typeof bearers)[number]): [way: string, call: Call][] {
  // The caller passes params of this operation.
  const overHttp = (actor.api as unknown as Record<OperationName, Call>)[name];
  const methods = [...socketMethods].filter(([, { operation }]) => operation === name && overSockets(name));
  const overSocket = methods.map(([method]): [string, Call] => [method, (params) => socket.rpc(method, params)]);
  // Over HTTP a call of an open operation needs no token, so the token is not looked at.
  return operations[name].policy.open ? overSocket : [['HTTP', overHttp], ...overSocket];
}

/** Whether the call was refused because of its token. */
async function isRefused(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 'forbidden' && /access token/.test(error.message);
  }
}

test.each(operationNames)(
  'ACCESS-6: %s takes the access tokens of its scope, over every transport, and no other',
  async (name) => {
    const { scope } = operations[name].policy;
    const scene = await nextScene();
    const found: string[] = [];
    const expected: string[] = [];
    for (const bearer of bearers)
      for (const [way, call] of waysTo(name, bearer)) {
        // Outside its scopes not even the fields are looked at.
        const isAllowed = bearer.scope === scope;
        const params = isAllowed && way === 'HTTP' ? everyOperation[name].params(scene) : { chat_id: 1 };
        found.push(`${bearer.scope} by ${way}: ${(await isRefused(call(params))) ? 'refused' : 'allowed'}`);
        expected.push(`${bearer.scope} by ${way}: ${isAllowed ? 'allowed' : 'refused'}`);
      }
    expect(found).toEqual(expected);
  },
);

test('ACCESS-6: a token with several scopes may do what each of them names', async () => {
  const ann = await world.member();
  const { id: chat_id } = await world.group(ann);
  const { token } = await ann.api.createAccessToken({ name: 'x', scopes: ['read', 'send'] });
  const { api } = new Actor(world, ann.username, token);
  await api.sendMessage({ chat_id, text: 'hello' });
  expect((await api.getChatHistory({ chat_id })).items.at(-1)).toMatchObject({ content: 'hello' });
  expect(await failure(api.setChatTitle({ chat_id, title: 'x' }))).toMatchObject({ status: 403 });
});

test('ACCESS-6: an upload in several requests takes the scope of uploadFile', async () => {
  const { url } = world;
  const begin = (actor: Actor | undefined) =>
    fetch(`${url}/api/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${actor?.token}`, 'tus-resumable': '1.0.0', 'upload-length': '3' },
    });
  expect((await begin(bearers.find(({ scope }) => scope === 'read')?.actor)).status).toBe(403);
  expect((await begin(bearers.find(({ scope }) => scope === 'send')?.actor)).status).toBe(201);
});

test('ACCESS-7: no access token sets secrets of agents', async () => {
  const ann = await world.member();
  const { username } = await world.bot(ann);
  const { token } = await ann.api.createAccessToken({ name: 'x', scopes: ['manage'] });
  const { api } = new Actor(world, ann.username, token);
  await api.setBotConfig({ username, config: {} });
  for (const call of [
    api.setBotConfig({ username, secrets: { k: 'v' } }),
    api.setMyBotConfig({ username, secrets: {} }),
  ])
    expect(await failure(call)).toMatchObject({ status: 403 });
});
