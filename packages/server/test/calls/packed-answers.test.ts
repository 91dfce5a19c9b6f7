import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Actor, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let world: World;
let alice: Actor;
let chat_id: string;
let group: { id: string };
beforeAll(async () => {
  world = await createWorld();
  let bob: Actor;
  ({ alice, bob } = await world.people('alice', 'bob'));
  group = await world.group(alice, bob);
  ({ id: chat_id } = await alice.api.startChat({ username: 'bob' }));
  for (let at = 0; at < 10; at += 1)
    await alice.api.sendMessage({ chat_id, text: `Message ${at} ${'again '.repeat(30)}` });
});
afterAll(() => world.close());

/** A call as a browser makes it: fetch would unpack the answer. */
async function post(name: string, input: object, accepted?: string) {
  const body = JSON.stringify(input);
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: NodeJS.Dict<string | string[]>;
    bytes: Buffer;
  }>();
  const headers = {
    authorization: `Bearer ${alice.token}`,
    'content-type': 'application/json',
    ...(accepted !== undefined && { 'accept-encoding': accepted }),
  };
  request(`${world.url}/api/${name}`, { method: 'POST', headers }, (response) => {
    buffer(response).then((bytes) => resolve({ headers: response.headers, bytes }), reject);
  })
    .on('error', reject)
    .end(body);
  return promise;
}

test('TRANS-17: a long answer of a read without secrets is compressed as the client accepts', async () => {
  const history = { chat_id };
  const plain = await post('getChatHistory', history);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers['vary']).toMatch(/accept-encoding/);
  expect(plain.headers['vary']).toMatch(/origin/);
  const wide = await post('getChatHistory', history, 'gzip, deflate, br');
  expect(wide.headers['content-encoding']).toBe('br');
  expect(wide.bytes.length).toBeLessThan(plain.bytes.length / 3);
  expect(Number(wide.headers['content-length'])).toBe(wide.bytes.length);
  expect(brotliDecompressSync(wide.bytes).equals(plain.bytes)).toBe(true);
  const narrow = await post('getChatHistory', history, 'br;q=0, GZIP;q=0.5');
  expect(narrow.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(narrow.bytes).equals(plain.bytes)).toBe(true);
  for (const refused of ['identity', 'br;q=0', 'brotli, xgzip', ''])
    expect((await post('getChatHistory', history, refused)).headers['content-encoding']).toBeUndefined();
});

test('TRANS-17: short answers are not compressed', async () => {
  const { headers, bytes } = await post('getChat', { chat_id }, 'gzip, br');
  expect(bytes.length).toBeLessThan(2_048);
  expect(headers['content-encoding']).toBeUndefined();
});

test('TRANS-17: an answer with a signed address of a file, or with a token, is not compressed', async () => {
  const file = await alice.api.uploadFile({
    file: new File(['words '.repeat(1_000)], 'words.txt', { type: 'text/plain' }),
  });
  await alice.api.sendMessage({ chat_id, text: 'The file', attachments: [{ id: file.id }] });
  const { headers, bytes } = await post('getChatHistory', { chat_id }, 'gzip, br');
  expect(bytes.toString()).toMatch(/"\/files\/[0-9a-f-]+\?a=/);
  expect(headers['content-encoding']).toBeUndefined();
  for (let at = 0; at < 12; at += 1) await alice.api.createInvite({ chat_id: group.id });
  const invites = await post('getInvites', { chat_id: group.id }, 'gzip, br');
  expect(invites.bytes.length).toBeGreaterThan(2_048);
  expect(invites.headers['content-encoding']).toBeUndefined();
});
