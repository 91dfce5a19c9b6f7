import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ManualClock } from '@parley/testing';
import { type FakeModelServer, startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEndpointRule } from '../../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { anthropicProvider } from './anthropic.ts';
import { openaiProvider } from './openai.ts';
import { ProviderError } from './provider.ts';

const KEY = 'sk-a-key-that-must-not-leak-1234';

let server: FakeModelServer;
let guarded: GuardedFetch;
beforeAll(async () => {
  server = await startModelServer();
  guarded = new GuardedFetch(readEndpointRule(() => server.origin));
});
afterAll(async () => {
  guarded.close();
  await server[Symbol.asyncDispose]();
});

const vendors = {
  provider_a: () => anthropicProvider({ clock: new ManualClock(), guarded: guarded.fetch }),
  provider_b: () => openaiProvider({ clock: new ManualClock(), guarded: guarded.fetch }),
};

/** The error with which a request to the server ends. */
async function errorOf(provider: keyof typeof vendors): Promise<ProviderError> {
  const messages = [{ role: 'user' as const, text: 'hello' }];
  const request = { apiKey: KEY, baseUrl: server.baseUrl, model: 'm', messages };
  try {
    await Array.fromAsync(vendors[provider]().stream(request, new AbortController().signal));
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('the reply was complete');
}

const events = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
const json = (response: ServerResponse, status: number, body: object): ServerResponse =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Writes the same bytes until the client closes the connection; counts them. */
function flood(response: ServerResponse, bytes: Buffer): { sent: () => number; closed: Promise<void> } {
  let sent = 0;
  const more = (): void => {
    while (!response.destroyed && response.write(bytes)) sent += bytes.length;
  };
  response.on('drain', more);
  const closed = new Promise<void>((resolve) => response.on('close', resolve));
  more();
  return { sent: () => sent, closed };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const answers: [what: string, answer: Answer, kind: string, says: RegExp][] = [
  [
    'a page of HTML',
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>It works!</html>'),
    'protocol',
    /something other than an event stream/,
  ],
  ['HTML as an event stream', (_request, response) => events(response).end('<html>'), 'interrupted', /broke off/],
  [
    'half an event',
    (_request, response) => events(response).end('data: {"choices":[{"delta":{"con'),
    'interrupted',
    /broke off/,
  ],
  ['an event that is no JSON', (_request, response) => events(response).end('data: {"a\n\n'), 'protocol', /not JSON/],
  [
    'bytes that are no UTF-8',
    (_request, response) => events(response).end(Buffer.from([100, 97, 116, 97, 58, 0xff, 0xfe, 10, 10])),
    'protocol',
    /not JSON/,
  ],
  ['an event of another shape', (_request, response) => events(response).end('data: [1]\n\n'), 'protocol', /shape/],
  [
    'compressed bytes that it was not asked for',
    (_request, response) => {
      const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' };
      response.writeHead(200, headers).end(gzipSync(Buffer.alloc(50_000_000, 'data: {}\n\n')));
    },
    'interrupted',
    /broke off/,
  ],
  [
    'a redirect',
    (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    'bad_request',
    /redirect \(307\)/,
  ],
  [
    'no such model',
    (_request, response) => json(response, 404, { error: { message: 'model "m" not found, try pulling it first' } }),
    'bad_request',
    /not found, try pulling it first/,
  ],
  [
    '500 with the key in its text',
    (_request, response) => json(response, 500, { error: { message: `no luck with ${KEY}` } }),
    'overloaded',
    /no luck with \[key\]/,
  ],
  [
    'an error event with the key in its text',
    (_request, response) =>
      events(response).end(`data: ${JSON.stringify({ type: 'error', error: { message: `bad ${KEY}` } })}\n\n`),
    'overloaded',
    /bad \[key\]/,
  ],
  [
    '401 with the key in its text',
    (_request, response) => json(response, 401, { error: KEY }),
    'refused_key',
    /refused/,
  ],
  ['an empty answer', (_request, response) => response.writeHead(204).end(), 'protocol', /something other/],
  [
    'another protocol',
    ({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    'interrupted',
    /connection .* failed/,
  ],
  ['a closed connection', (_request, response) => response.destroy(), 'interrupted', /connection .* failed/],
  [
    'endless headers',
    (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(),
    'interrupted',
    /HPE_HEADER_OVERFLOW/,
  ],
];

describe.each(['provider_a', 'provider_b'] as const)('a server that speaks the protocol of %s', (provider) => {
  test.each(answers)('CUSTOM-12, PROVIDER-9: %s ends the reply with an error without the key', async (...row) => {
    const [, answer, kind, says] = row;
    server.answer = answer;
    const asked = server.requests.length;
    const error = await errorOf(provider);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(says) });
    expect(JSON.stringify([error.message, error.stack])).not.toContain('must-not-leak');
    // A refused body may be repeated without its extras, but never elsewhere.
    expect(server.requests.length - asked).toBeLessThanOrEqual(2);
  });

  test.each([
    ['an endless event', Buffer.from('x'.repeat(65_536)), 16 * 1024 * 1024, /too long/],
    ['endless comments', Buffer.from(`:${'x'.repeat(65_534)}\n`), 96 * 1024 * 1024, /does not end/],
  ])('CUSTOM-12: %s is cut off, and its connection closed', async (_what, bytes, mostBytes, says) => {
    let flooded: ReturnType<typeof flood> | undefined;
    server.answer = (_request, response) => {
      events(response).write('data: ');
      flooded = flood(response, bytes);
    };
    const error = await errorOf(provider);
    expect(error).toMatchObject({ kind: 'protocol', message: expect.stringMatching(says) });
    await flooded?.closed;
    expect(flooded?.sent()).toBeLessThan(mostBytes);
  });
});
