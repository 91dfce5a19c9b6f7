import { readFileSync } from 'node:fs';
import { ApiError, createApi } from '@parley/client';
import { featureLevel, type Operation, operationNames, operations, socketMethods } from '@parley/protocol';
import { handlers } from '@parley/server/operations/index.ts';
import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';

interface Described {
  openapi: string;
  paths: Record<string, { post: { requestBody: object; responses: object } }>;
}

test(
  'API-1: /openapi.json is OpenAPI 3.1 and describes every operation with its fields, result and errors',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const response = await fetch(`${world.url}/openapi.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    const { openapi, paths } = (await response.json()) as Described; // checked against the declarations below
    expect(openapi).toMatch(/^3\.1\./);
    expect(Object.keys(paths).toSorted()).toEqual(operationNames.map((name) => `/api/${name}`).toSorted());
    const { requestBody, responses } = paths['/api/sendMessage']?.post ?? expect.fail('sendMessage is described');
    const json = (schema: object) => ({ content: { 'application/json': { schema } } });
    expect(requestBody).toMatchObject(
      json({ required: ['chat_id', 'text'], properties: { text: { type: 'string' }, attachments: {} } }),
    );
    const result = { $ref: '#/components/schemas/Message' };
    expect(responses).toMatchObject({ 200: json({ required: ['ok', 'result'], properties: { result } }) });
  },
);

test('API-2: every declared operation has a handler, a route and a socket method', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  expect(Object.keys(handlers).toSorted()).toEqual(operationNames.toSorted());
  for (const name of operationNames) {
    // A body of the wrong type shows that the route exists and changes nothing: an unknown path would be 404.
    const response = await fetch(`${world.url}/api/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
      body: '[]',
    });
    const { upload: isUpload }: Operation = operations[name];
    expect([name, response.status]).toEqual([name, isUpload ? 415 : 400]);
    expect(socketMethods.get(name)?.operation).toBe(name);
  }
  const socket = await alice.socket();
  for (const method of socketMethods.keys()) {
    const error: unknown = await socket.rpc(method).catch((reason: unknown) => reason);
    if (error instanceof ApiError) expect(error.description, method).not.toBe('not found: operation');
  }
  await expect(socket.rpc('nothing')).rejects.toMatchObject({ description: 'not found: operation' });
});

test('API-3: getServerInfo, without a token, describes the service, whether sign-up is open and how large files can be', async () => {
  const version: unknown = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  ).version;
  for (const sign_up of ['open', 'closed']) {
    await using world = await createWorld({ env: { SIGN_UP: sign_up, MAX_FILE_BYTES: '1000' } });
    const visitor = createApi({ url: world.url });
    expect(await visitor.getServerInfo()).toEqual({
      name: 'Parley',
      version,
      feature_level: featureLevel,
      sign_up,
      issuers: [],
      passwords: 'everyone',
      max_file_bytes: 1_000,
    });
  }
});
