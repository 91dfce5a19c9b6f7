import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundedChunks, boundedText, isCompressed } from './bounded-body.ts';

let answer: RequestListener;
const server = createServer((request, response) => answer(request, response));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

// It listens on TCP.
const get = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

/** Writes without an end; resolves when the client has closed the connection. */
function endless(): Promise<void> {
  return new Promise((resolve) => {
    answer = (_request, response) => {
      response.on('close', resolve);
      const more = (): void => void (response.writable && response.write('x'.repeat(4_096), () => setImmediate(more)));
      more();
    };
  });
}

test.each([
  ['', 0, ''],
  ['grün', 5, 'grün'],
  ['grün', 4, null],
])('TOKEN-20, CUSTOM-13: a body %j is read as text if it has at most %d bytes', async (text, maxBytes, read) => {
  answer = (_request, response) => response.end(text);
  expect(await boundedText((await get()).body, maxBytes)).toBe(read);
});

test('TOKEN-20, CUSTOM-13: the connection of a body without an end is closed at the bound', async () => {
  const closed = endless();
  expect(await boundedText((await get()).body, 10_000)).toBe(null);
  await closed;
});

test('LINK-3: a body is read up to the bound, the last chunk in part', async () => {
  const closed = endless();
  let bytes = 0;
  for await (const chunk of boundedChunks((await get()).body, 10_000)) bytes += chunk.length;
  expect(bytes).toBe(10_000);
  await closed;
});

test('LINK-3: a reader that leaves early closes the connection', async () => {
  const closed = endless();
  for await (const chunk of boundedChunks((await get()).body, 1_000_000)) if (chunk.length > 0) break;
  await closed;
});

test('PROVIDER-7: a body that stalls ends when its reader stops it', async () => {
  const stop = new AbortController();
  const read: string[] = [];
  answer = (_request, response) => response.write('half');
  for await (const chunk of boundedChunks((await get()).body, 100, stop.signal)) {
    read.push(Buffer.from(chunk).toString());
    setImmediate(() => stop.abort());
  }
  expect(read).toEqual(['half']);
  for await (const chunk of boundedChunks((await get()).body, 100, stop.signal)) read.push(`${chunk.length} bytes`);
  expect(read).toEqual(['half']);
});

test('TOKEN-20, LINK-3: a response says whether its body is compressed', () => {
  const isCompressedAs = (...encoding: string[]): boolean =>
    isCompressed(new Response('', { headers: encoding.map((value) => ['content-encoding', value]) }));
  expect([isCompressedAs(), isCompressedAs('identity'), isCompressedAs('Identity')]).toEqual([false, false, false]);
  expect([isCompressedAs('gzip'), isCompressedAs('br')]).toEqual([true, true]);
});
