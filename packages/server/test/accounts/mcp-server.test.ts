import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type OperationName, operations, tokenScopes, type TokenScope } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, expectError, JSON_TYPE, size, withHead } from '../helpers/raw-http.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const tokenOf = async (person: Actor, scopes: readonly TokenScope[], more: { chat_ids?: string[] } = {}) =>
  (await person.api.createAccessToken({ name: 'Claude', scopes: [...scopes], ...more })).token;

const eras = { '2025': { mode: 'legacy' }, '2026': { mode: { pin: '2026-07-28' } } } as const;
type Era = keyof typeof eras;

/** The official client, in one era of the protocol. */
async function connect(token: string, era: Era) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: eras[era] });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', world.url), { requestInit }));
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

type Called = Awaited<ReturnType<Client['callTool']>>;
const textOf = ({ content }: Called): string => (content[0]?.type === 'text' ? content[0].text : '');

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

describe.each(Object.keys(eras) as Era[])('the revision of %s', (era) => {
  test('MCPS-1, MCPS-5, ACCESS-10: an assistant reads and writes by the tools, and what it writes says so', async () => {
    const ann = await world.member();
    const { id: chat_id } = await world.group(ann);
    await using connected = await connect(await tokenOf(ann, ['read', 'send']), era);
    const { client } = connected;
    const sent = await client.callTool({ name: 'sendMessage', arguments: { chat_id, text: 'hello' } });
    expect(JSON.parse(textOf(sent))).toMatchObject({ content: 'hello', via: { name: 'Claude' } });
    const history = await client.callTool({ name: 'getChatHistory', arguments: { chat_id } });
    expect(textOf(history)).toContain('"hello"');
    expect((await ann.api.getChatHistory({ chat_id })).items.at(-1)).toMatchObject({ via: { name: 'Claude' } });
    for (const [name, args, code] of [
      ['setChatTitle', { chat_id, title: 'x' }, 'forbidden'],
      ['sendMessage', { chat_id }, 'invalid_argument'],
      ['changePassword', {}, 'not_found'],
    ] as const) {
      const refused = await client.callTool({ name, arguments: args });
      expect([name, refused.isError, JSON.parse(textOf(refused))]).toMatchObject([name, true, { error: { code } }]);
    }
  });

  test('MCPS-4: tools of scopes that the token lacks are not listed; those that only read say so', async () => {
    const ann = await world.member();
    for (const scope of tokenScopes) {
      await using connected = await connect(await tokenOf(ann, [scope]), era);
      const { tools } = await connected.client.listTools();
      expect(tools.length).toBeGreaterThan(5);
      for (const { name, description, annotations, inputSchema } of tools) {
        const declared = operations[name as OperationName];
        expect([name, declared.policy.scope, annotations?.readOnlyHint]).toEqual([
          name,
          scope,
          scope === 'read' ? true : undefined,
        ]);
        expect(description).toBe(declared.summary);
        expect(inputSchema.type).toBe('object');
      }
    }
  });

  test('MCPS-7, ACCESS-8: the resources are the conversations of the token', async () => {
    const ann = await world.member();
    const [{ id }, { id: other }] = [await world.group(ann), await world.group(ann)];
    await ann.api.sendMessage({ chat_id: id, text: 'in the group' });
    await using connected = await connect(await tokenOf(ann, ['read'], { chat_ids: [id] }), era);
    const { client } = connected;
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([`parley://chats/${id}`]);
    const { contents } = await client.readResource({ uri: `parley://chats/${id}` });
    expect(JSON.stringify(contents)).toContain('in the group');
    await expect(client.readResource({ uri: `parley://chats/${other}` })).rejects.toMatchObject({ code: -32_602 });
  });
});

test('MCPS-7, ACCESS-8: files of the conversations are resources, read one at a time', async () => {
  const ann = await world.member();
  const [{ id }, { id: other }] = [await world.group(ann), await world.group(ann)];
  const send = async (chat_id: string, file: File) => {
    const uploaded = await ann.api.uploadFile({ file });
    await ann.api.sendMessage({ chat_id, text: 'a file', attachments: [{ id: uploaded.id }] });
    return `parley://files/${uploaded.id}`;
  };
  const text = await send(id, new File(['some words'], 'paper.txt'));
  const binary = await send(id, new File([new Uint8Array([1, 0, 2])], 'data.bin'));
  const large = await send(id, new File(['x'.repeat(1_100_000)], 'large.txt'));
  const outside = await send(other, new File(['other words'], 'paper.txt'));
  const token = await tokenOf(ann, ['read'], { chat_ids: [id] });
  await using connected = await connect(token, '2026');
  const { client } = connected;
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('parley://files/{file_id}');
  expect((await client.readResource({ uri: text })).contents).toMatchObject([{ uri: text, text: 'some words' }]);
  expect((await client.readResource({ uri: binary })).contents).toMatchObject([{ uri: binary, blob: 'AQAC' }]);
  for (const uri of [outside, large, `parley://files/${id}`, 'file:///etc/passwd'])
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: text } };
  const answer = await (await post([read], { authorization: `Bearer ${token}` })).text();
  expect(answer).toContain('one at a time');
  await using writer = await connect(await tokenOf(ann, ['send']), '2026');
  await expect(writer.client.readResource({ uri: text })).rejects.toMatchObject({ code: -32_602 });
});

test('MCPS-2: only access tokens are accepted, and a revoked one is not', async () => {
  const ann = await world.member();
  const bot = await world.bot(ann);
  const made = await ann.api.createAccessToken({ name: 'x', scopes: ['read'] });
  const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
  expect((await post(ping(1), bearing(made.token))).status).toBe(200);
  await ann.api.revokeAccessToken({ id: made.id });
  for (const headers of [{}, bearing(ann.token), bearing(bot.token), bearing('dev:ann'), bearing(made.token)]) {
    const response = await post(ping(1), headers);
    expect([response.status, response.headers.get('www-authenticate')?.startsWith('Bearer realm="Parley"')]).toEqual([
      401,
      true,
    ]);
  }
});

test('MCPS-3: a foreign Origin or Host is 403, also without a token', async () => {
  const token = await tokenOf(await world.member(), ['read']);
  const authorization = `Bearer ${token}`;
  expect((await post(ping(1), { authorization, origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(ping(1), { origin: 'https://evil.example' })).status).toBe(403);
  const body = JSON.stringify(ping(1));
  for (const bearer of ['', `authorization: ${authorization}\r\n`]) {
    const head = `POST /mcp HTTP/1.1\r\nhost: evil.example\r\n${JSON_TYPE}${bearer}${size(body)}\r\n`;
    expectError(await exchange(world.url, withHead(head, body)), 403);
  }
});

test('MCPS-1, MCPS-6: batches have at most 100 requests; sessions are 405, and a body that is too large 413', async () => {
  const authorization = `Bearer ${await tokenOf(await world.member(), ['read'])}`;
  const batch = (count: number) =>
    post(
      Array.from({ length: count }, (_, id) => ping(id)),
      { authorization },
    );
  expect((await batch(101)).status).toBe(400);
  const taken = await batch(100);
  expect(taken.status).toBe(200);
  expect(await taken.text()).toContain('"id":99');
  expect((await fetch(`${world.url}/mcp`, { headers: { authorization } })).status).toBe(405);
  expect((await post({ ...ping(1), params: { text: 'x'.repeat(2_000_000) } }, { authorization })).status).toBe(413);
  // A stream of changes would bind a client to one node.
  const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {} } };
  expect(await (await post(listen, { authorization })).text()).toContain('"error"');
});
