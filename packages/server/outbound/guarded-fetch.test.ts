import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Resolve } from './endpoint-guard.ts';
import { readEndpointRule, readJwksRule, readLinkRule, readToolRule } from './endpoint-rule.ts';
import { GuardedFetch } from './guarded-fetch.ts';

const ruleOf = (text?: string) => readEndpointRule(() => text);
const linkRuleOf = (text?: string) => readLinkRule(() => text);

/** A server on loopback, and a guarded fetch for which every name is there. */
async function stage(listener: RequestListener, rule: (port: number) => string, resolve: Resolve) {
  const server = createServer(listener);
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const guarded = new GuardedFetch(ruleOf(rule(port)), resolve);
  return {
    port,
    fetch: guarded.fetch,
    get: (url: string, signal = new AbortController().signal) =>
      guarded.fetch(url, { method: 'GET', headers: {}, redirect: 'manual', signal }),
    async [Symbol.asyncDispose]() {
      guarded.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const onLoopback: Resolve = async () => ['127.0.0.1'];

test.each<[string | undefined, allowed: string[], refused: string[]]>([
  [
    undefined,
    ['https://models.example/v1'],
    ['http://models.example/v1', 'https://127.0.0.1/v1', 'https://x:y@a.example/'],
  ],
  ['none', [], ['https://models.example/v1', 'http://127.0.0.1:11434/v1']],
  ['http://127.0.0.1:11434', ['http://127.0.0.1:11434/v1'], ['http://127.0.0.1:11435/v1', 'https://models.example/v1']],
  ['public, http://gpu:8000/', ['https://models.example', 'http://gpu:8000/v1'], ['https://gpu.localhost/v1']],
])(
  'CUSTOM-8, CONFIG-24: with AGENT_ENDPOINTS %j an address is admitted or refused without a request',
  (rule, good, bad) => {
    const guarded = new GuardedFetch(ruleOf(rule), async () => {
      throw new Error('asked DNS');
    });
    for (const url of good) expect(() => guarded.check(new URL(url)), url).not.toThrow();
    for (const url of bad) expect(() => guarded.check(new URL(url)), url).toThrow('must have');
  },
);

test.each([
  '*',
  'http://gpu:8000/v1',
  'ftp://gpu',
  'public,none',
  'gpu:8000',
  'http://me:secret@gpu',
  'http://gpu?secret',
])('CONFIG-24: AGENT_ENDPOINTS=%s is refused, without repeating it', (given) => {
  const said = expect.objectContaining({ message: expect.not.stringContaining('secret') });
  expect(() => ruleOf(given)).toThrow(said);
});

test('CONFIG-28: JWKS_ENDPOINTS is read as AGENT_ENDPOINTS is', () => {
  for (const text of [undefined, 'none', 'public,http://127.0.0.1:8080'])
    expect(readJwksRule(() => text)).toEqual(ruleOf(text));
  expect(() => readJwksRule(() => 'http://me:secret@keys')).toThrow(/^JWKS_ENDPOINTS must be public(?!.*secret)/);
});

test('CONFIG-30: TOOL_ENDPOINTS is read as AGENT_ENDPOINTS is', () => {
  for (const text of [undefined, 'none', 'public,http://127.0.0.1:8080'])
    expect(readToolRule(() => text)).toEqual(ruleOf(text));
  expect(() => readToolRule(() => 'http://me:secret@tools')).toThrow(/^TOOL_ENDPOINTS must be public(?!.*secret)/);
});

test('CONFIG-26: LINK_PREVIEWS is 1, 0, or origins, with or without 1', () => {
  expect(linkRuleOf()).toEqual(linkRuleOf('1'));
  expect(linkRuleOf()).toEqual({ isPublicAllowed: true, origins: new Set() });
  expect(linkRuleOf('0')).toEqual({ isPublicAllowed: false, origins: new Set() });
  const wiki = new Set(['http://wiki.internal']);
  expect(linkRuleOf('1, http://wiki.internal/')).toEqual({ isPublicAllowed: true, origins: wiki });
  expect(linkRuleOf('http://wiki.internal')).toEqual({ isPublicAllowed: false, origins: wiki });
  for (const wrong of ['public', '2', '0,1', 'wiki.internal', 'http://me:secret@wiki'])
    expect(() => linkRuleOf(wrong), wrong).toThrow(/^LINK_PREVIEWS must be 1, 0, or origins(?!.*secret)/);
});

test('CUSTOM-8: a name that resolves to a private address is not connected to, unless its origin is listed', async () => {
  let requests = 0;
  const answer: RequestListener = (_request, response) => {
    requests += 1;
    response.end('hi');
  };
  await using listed = await stage(answer, (port) => `http://gpu.example:${port}`, onLoopback);
  expect(await (await listed.get(`http://gpu.example:${listed.port}/v1`)).text()).toBe('hi');
  await using open = await stage(answer, () => 'public', onLoopback);
  await expect(open.get(`https://gpu.example:${open.port}/v1`)).rejects.toThrow('must have a public address');
  await expect(open.get(`https://127.0.0.1:${open.port}/v1`)).rejects.toThrow('must have a public address');
  expect(requests).toBe(1);
});

test('CUSTOM-8: a redirect is answered, not followed', async () => {
  const asked: string[] = [];
  const redirect: RequestListener = ({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  };
  await using there = await stage(redirect, (port) => `http://gpu.example:${port}`, onLoopback);
  expect((await there.get(`http://gpu.example:${there.port}/v1`)).status).toBe(302);
  expect(asked).toEqual(['/v1']);
});

test('CUSTOM-12: a server that switches protocols is an error, and its connection is closed', async () => {
  let closed: () => void = () => {};
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const upgrade: RequestListener = ({ socket }) => {
    socket.on('close', closed);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  };
  await using there = await stage(upgrade, (port) => `http://gpu.example:${port}`, onLoopback);
  await expect(there.get(`http://gpu.example:${there.port}/v1`)).rejects.toThrow('another protocol');
  await isClosed;
});

test('CUSTOM-8: an abort closes the connection, also while the body arrives', async () => {
  let closed: () => void = () => {};
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const hang: RequestListener = (_request, response) => {
    response.on('close', closed);
    response.write('half');
  };
  await using there = await stage(hang, (port) => `http://gpu.example:${port}`, onLoopback);
  const stop = new AbortController();
  const { body } = await there.get(`http://gpu.example:${there.port}/v1`, stop.signal);
  const reader = body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('half');
  const rest = reader?.read();
  stop.abort();
  await expect(rest).rejects.toThrow();
  await isClosed;
});

test('TOOL-3, TOOL-15: a request that is told of its connection has one of its own, to an address that was checked', async () => {
  const ports = new Set<number | undefined>();
  const answer: RequestListener = ({ socket }, response) => {
    ports.add(socket.remotePort);
    response.end('hi');
  };
  let connected = 0;
  const request = {
    method: 'POST',
    headers: {},
    redirect: 'manual',
    onConnected: () => void (connected += 1),
  } as const;
  const { signal } = new AbortController();
  const addresses = [['127.0.0.1'], ['127.0.0.1']];
  const changing: Resolve = async () => addresses.shift() ?? ['10.0.0.1'];
  await using there = await stage(answer, (port) => `http://tools.example:${port}`, changing);
  for (const sent of [1, 2]) {
    const response = await there.fetch(`http://tools.example:${there.port}/`, { ...request, signal });
    expect([await response.text(), connected, ports.size]).toEqual(['hi', sent, sent]);
  }
  await using open = await stage(answer, () => 'public', onLoopback);
  const refused = open.fetch(`https://tools.example:${open.port}/`, { ...request, signal });
  await expect(refused).rejects.toThrow('must have a public address');
  await expect(open.fetch('https://127.0.0.1:9/', { ...request, signal })).rejects.toThrow(
    'must have a public address',
  );
  expect([connected, ports.size]).toEqual([2, 2]);
});

test('TOOL-15: a repeatable request takes a kept connection, and is sent again if the server has closed it', async () => {
  const ports: (number | undefined)[] = [];
  let isClosing = false;
  const answer: RequestListener = ({ socket }, response) => {
    ports.push(socket.remotePort);
    if (isClosing) {
      isClosing = false;
      socket.destroy();
    } else response.end('hi');
  };
  await using there = await stage(answer, (port) => `http://tools.example:${port}`, onLoopback);
  let connected = 0;
  const { signal } = new AbortController();
  const onConnected = () => void (connected += 1);
  const request = { method: 'POST', headers: {}, redirect: 'manual', signal, onConnected, isRepeatable: true } as const;
  const send = async () => (await there.fetch(`http://tools.example:${there.port}/`, request)).text();
  for (const sent of [1, 2]) expect([await send(), connected, ports.length]).toEqual(['hi', sent, sent]);
  expect(ports[1]).toBe(ports[0]);
  isClosing = true;
  expect([await send(), connected, ports.length]).toEqual(['hi', 4, 4]);
  expect([ports[2] === ports[0], ports[3] === ports[0]]).toEqual([true, false]);
  // Over a connection of its own the same is a failure, as it is when nothing says that it may be sent again.
  isClosing = true;
  const { isRepeatable: _, onConnected: __, ...plain } = request;
  await expect(there.fetch(`http://tools.example:${there.port}/`, plain)).rejects.toThrow();
});
