import { gzipSync } from 'node:zlib';
import type { IncomingMessage, RequestListener } from 'node:http';
import { page, startPageServer } from '@parley/testing/providers/page-server.ts';
import { expect, test } from 'vitest';
import { readLinkRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { type PageReading, readPage } from '../rules/page-text.ts';
import { USER_AGENT } from '../outbound/user-agent.ts';
import { fetchPage, type ReadPage } from './fetch-page.ts';

const read: ReadPage = async (page) => readPage(page);

/** A site on loopback, and a function that reads its pages. */
async function site(answer?: RequestListener, rule = (origin: string) => `1,${origin}`) {
  const server = await startPageServer();
  if (answer) server.answer = answer;
  const guarded = new GuardedFetch(
    readLinkRule(() => rule(server.origin)),
    async () => ['127.0.0.1'],
  );
  return {
    server,
    read: (path = '/', signal = new AbortController().signal) =>
      fetchPage(guarded.fetch, URL.canParse(path) ? path : server.origin + path, { signal, read }),
    async [Symbol.asyncDispose]() {
      guarded.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const html = { 'content-type': 'text/html' };

test('LINK-3: a page is requested without cookies, and without saying who asks', async () => {
  const requests: IncomingMessage[] = [];
  await using there = await site((request, response) => {
    requests.push(request);
    response.writeHead(200, { ...html, 'set-cookie': 'a=b' }).end(page('Hello'));
  });
  for (let times = 0; times < 2; times += 1)
    expect(await there.read('/a?b=c')).toEqual({ url: `${there.server.origin}/a?b=c`, title: 'Hello' });
  for (const { headers, method } of requests) {
    expect(method).toBe('GET');
    expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': USER_AGENT });
  }
});

test('LINK-3: only pages in HTML that are not compressed are read', async () => {
  const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024, page('bomb')));
  const answers: Record<string, [number, object, string | Buffer]> = {
    '/json': [200, { 'content-type': 'application/json' }, page('json')],
    '/untyped': [200, {}, page('untyped')],
    '/like': [200, { 'content-type': 'text/htmlx' }, page('like')],
    '/missing': [404, html, page('missing')],
    '/empty': [204, html, ''],
    '/bomb': [200, { ...html, 'content-encoding': 'gzip' }, bomb],
    '/said': [200, { ...html, 'content-encoding': 'br' }, page('said to be compressed')],
  };
  await using there = await site(({ url = '' }, response) => {
    const [status, headers, body] = answers[url] ?? [500, {}, ''];
    response.writeHead(status, { ...headers }).end(body);
  });
  for (const path of Object.keys(answers)) expect(await there.read(path), path).toBe(null);
});

test('LINK-3: three redirects are followed, a fourth one is not', async () => {
  await using there = await site(({ url = '' }, response) => {
    const left = Number(url.slice(1));
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end('moved');
    else response.writeHead(200, html).end(page('There'));
  });
  expect(await there.read('/3')).toEqual({ url: `${there.server.origin}/3`, title: 'There' });
  there.server.asked.length = 0;
  expect(await there.read('/4')).toBe(null);
  expect(there.server.asked).toEqual(['/4', '/3', '/2', '/1']);
});

test('LINK-3: each redirect is checked like the link itself', async () => {
  await using there = await site(({ url = '' }, response) =>
    response.writeHead(302, { location: decodeURIComponent(url.slice(1)) }).end(),
  );
  const { port } = new URL(there.server.origin);
  for (const to of [
    `https://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `https://[::1]:${port}/`,
    'https://169.254.169.254/latest/meta-data',
    'http://public.example/',
    // Its name has the address of loopback.
    `https://rebound.example:${port}/`,
    'file:///etc/passwd',
    'data:text/html,<title>x</title>',
    'https://me:secret@public.example/',
  ])
    await expect(there.read(`/${encodeURIComponent(to)}`), to).rejects.toThrow();
  expect(there.server.asked).toHaveLength(9);
});

test('LINK-3: without the operator’s word private addresses and http are refused', async () => {
  await using there = await site(undefined, () => '1');
  for (const url of [`${there.server.origin}/`, 'http://public.example/', 'https://10.0.0.1/', 'https://localhost/'])
    await expect(there.read(url), url).rejects.toThrow('must have');
  expect(there.server.asked).toEqual([]);
});

test('LINK-3: of a page without end the first 512 KiB are read, and the connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  let sent = 0;
  await using there = await site((_request, response) => {
    response.on('close', closed.resolve).writeHead(200, html);
    response.write('<head><title>Endless</title>');
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, '<meta name=a content=b>'))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  });
  expect(await there.read()).toMatchObject({ title: 'Endless' });
  await closed.promise;
  // What was sent beyond that is in the buffers of the connection.
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test('LINK-3: a page is read to the end of its head only', async () => {
  const closed = Promise.withResolvers<void>();
  await using there = await site((_request, response) => {
    response
      .on('close', closed.resolve)
      .writeHead(200, html)
      .write(`${page('Head')}<p>`);
  });
  expect(await there.read()).toMatchObject({ title: 'Head' });
  await closed.promise;
});

test('LINK-3: an abort ends a page that does not go on', async () => {
  await using there = await site((_request, response) => void response.writeHead(200, html).write('<head><title>Slow'));
  const stop = new AbortController();
  const reading = there.read('/', stop.signal);
  while (there.server.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await expect(reading).rejects.toThrow();
});

test('LINK-4: bytes that are no UTF-8 become replacement characters, and other encodings are read', async () => {
  await using there = await site(({ url }, response) => {
    const type = url === '/latin' ? 'text/html; charset=iso-8859-1' : 'text/html';
    response.writeHead(200, { 'content-type': type }).end(Buffer.from(page('caf\u00e9'), 'latin1'));
  });
  expect(await there.read('/latin')).toMatchObject({ title: 'café' });
  expect(await there.read('/broken')).toMatchObject({ title: 'caf\ufffd' });
});

test('LINK-4: the encoding is that which the page declares, also if its beginning arrives in pieces', async () => {
  const declared = `<head><meta charset="windows-1252"><title>caf\u00e9</title>`;
  for (const rest of ['', '</head>', ' '.repeat(2_048)]) {
    const pieces = Array.from(Buffer.from(declared + rest, 'latin1'), (byte) => Uint8Array.of(byte));
    const answer = new Response(ReadableStream.from(pieces), { headers: html });
    const preview = await fetchPage(async () => answer, 'https://a.example/', {
      signal: new AbortController().signal,
      read,
    });
    expect(preview, rest).toMatchObject({ title: 'café' });
  }
});

/** The sizes of what is read of a page that arrives in pieces. */
async function readSizes(pieces: readonly string[], reading: PageReading | null): Promise<number[]> {
  const sizes: number[] = [];
  const answer = new Response(ReadableStream.from(pieces.map((piece) => Buffer.from(piece))), { headers: html });
  await fetchPage(async () => answer, 'https://a.example/', {
    signal: new AbortController().signal,
    read: async ({ bytes }) => {
      sizes.push(bytes.length);
      return reading;
    },
  });
  return sizes;
}

test('ERR-14: a page is read once its head may have ended, and again only once it has doubled', async () => {
  const open = { preview: null, isOver: false };
  expect(await readSizes(['<title>a</title>', '</he', 'ad>', '<p>'], { preview: null, isOver: true })).toEqual([23]);
  expect(await readSizes(['<title>a', '</title>'], open)).toEqual([16]);
  expect(
    await readSizes(
      Array.from({ length: 64 }, () => '<body>'),
      open,
    ),
  ).toEqual([6, 12, 24, 48, 96, 192, 384, 384]);
  // It takes too long.
  expect(await readSizes(['<body>', '<body>'], null)).toEqual([6]);
});
