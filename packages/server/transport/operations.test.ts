import { ApiError } from '@parley/client';
import { featureLevel, type Operation, operationNames, operations, socketMethods } from '@parley/protocol';
import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { handlers } from '../operations/index.ts';

test('API-2: every declared operation has a handler, a route and a socket method', async () => {
  await using world = await createWorld();
  expect(Object.keys(handlers).toSorted()).toEqual(operationNames.toSorted());
  for (const name of operationNames) {
    const { open }: Operation = operations[name];
    // Without a token an operation is refused before anything else, and one that is open is not.
    const { status } = await fetch(`${world.url}/api/${name}`, { method: 'POST' });
    expect(status, name).toBeOneOf(open ? [200, 400] : [401]);
    expect(socketMethods.get(name)?.operation).toBe(name);
  }
  const socket = await (await world.person('ann')).socket();
  for (const method of socketMethods.keys()) {
    const error: unknown = await socket.rpc(method).catch((reason: unknown) => reason);
    if (error instanceof ApiError) expect(error.description, method).not.toBe('not found: operation');
  }
  await expect(socket.rpc('nothing')).rejects.toMatchObject({ description: 'not found: operation' });
});

test.each(['open', 'closed'])(
  'API-3: getServerInfo tells anyone what this is, and that sign-up is %s',
  async (sign_up) => {
    await using world = await createWorld({ env: { SIGN_UP: sign_up } });
    const response = await fetch(`${world.url}/api/getServerInfo`, { method: 'POST' });
    const result = { name: 'Parley', version: expect.any(String), feature_level: featureLevel, sign_up };
    expect(await response.json()).toEqual({ ok: true, result });
  },
);
