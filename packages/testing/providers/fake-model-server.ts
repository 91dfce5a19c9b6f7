import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeAnthropic } from './fake-anthropic.ts';
import { fakeOpenai } from './fake-openai.ts';
import { isRecord } from './fake-vendor.ts';

/** A request that the server received. */
interface ServerRequest {
  path: string;
  /** The key in either vendor's header; undefined without one. */
  key: string | undefined;
  body: Readonly<Record<string, unknown>>;
}

/** A server of models that someone runs themselves: it speaks both vendors' APIs and asks for no key, like Ollama. */
export interface FakeModelServer {
  readonly origin: string;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly ServerRequest[];
  /** Answers in place of the server, for tests of broken and hostile ones. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** The models that it lists. */
  models: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startModelServer(reply = 'a local reply'): Promise<FakeModelServer> {
  const requests: ServerRequest[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const isJson = request.headers['content-type'] === 'application/json';
    const body: unknown = isJson ? JSON.parse(text) : {};
    const path = request.url ?? '';
    const key = fakeOpenai.keyOf(request.headers) ?? fakeAnthropic.keyOf(request.headers);
    requests.push({ path, key, body: isRecord(body) ? body : {} });
    if (fake.answer) return fake.answer(request, response);
    const vendor = [fakeAnthropic, fakeOpenai].find((one) => one.path === path);
    if (request.method === 'GET' && path.startsWith('/v1/models')) {
      const data = fake.models.map((id) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'library' }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
    } else if (vendor && isRecord(body)) {
      const wire = vendor.wire(body, {});
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(wire.opening() + wire.text(reply) + wire.ending(undefined));
    } else response.writeHead(404).end('404 page not found');
    return undefined;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const origin = `http://127.0.0.1:${port}`;
  const fake: FakeModelServer = {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    answer: undefined,
    models: ['llama3.2:latest', 'qwen3:8b'],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
