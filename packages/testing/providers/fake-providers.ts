import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import {
  SteeredReply,
  stepsOf,
  type FakeUsage,
  type RecordedRequest,
  type ReplyScript,
  type Step,
} from './fake-reply.ts';
import { fakeAnthropic } from './fake-anthropic.ts';
import { fakeOpenai } from './fake-openai.ts';
import { isRecord, REFUSED_KEY, type Body, type FakeVendor, type FakeWire } from './fake-vendor.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';

export { SteeredReply, type FakeBlock, type RecordedRequest, type ReplyScript } from './fake-reply.ts';

type Scripted = ReplyScript | SteeredReply | ((request: RecordedRequest) => ReplyScript | SteeredReply);

/** Both vendors on loopback. Every test uses its own keys, so that parallel tests do not interfere. */
export interface FakeProviders {
  /** Base URLs, ending in `/v1`. */
  readonly urlA: string;
  readonly urlB: string;
  readonly env: Readonly<Record<string, string>>;
  /** Sets the answers to requests under `key`, in order; the last one repeats. Unknown keys get 401. */
  script(key: string, ...scripts: readonly Scripted[]): void;
  steer(key: string, usage?: FakeUsage): SteeredReply;
  requestsOf(key: string): readonly RecordedRequest[];
  /** Resolves when the `n`-th request (from 1) under `key` has arrived. */
  waitForRequest(key: string, n?: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

export async function startFakeProviders(): Promise<FakeProviders> {
  const scripts = new Map<string, readonly Scripted[]>();
  const requests = new Map<string, RecordedRequest[]>();
  const waiting = new Set<() => void>();

  const record = (request: RecordedRequest): void => {
    requests.set(request.apiKey, [...(requests.get(request.apiKey) ?? []), request]);
    for (const look of waiting) look();
  };
  const scriptFor = (request: RecordedRequest): ReplyScript | SteeredReply | undefined => {
    const list = scripts.get(request.apiKey);
    const n = requests.get(request.apiKey)?.length ?? 0;
    const scripted = list?.[Math.min(n, list.length) - 1];
    return typeof scripted === 'function' ? scripted(request) : scripted;
  };

  const servers = [fakeAnthropic, fakeOpenai].map((vendor) =>
    // By default a server closes a connection that was idle for 5 s, just when a held-up test uses it again.
    createServer({ keepAliveTimeout: 0 }, (request, response) => {
      serve(vendor, request, response, record, scriptFor).catch((error: unknown) => {
        // A client may break off its request; anything else is a fault of the fake, which must not look like one of a vendor.
        if (request.complete) process.stderr.write(`a fake provider failed: ${inspect(error)}\n`);
        response.destroy();
      });
    }),
  );
  const [urlA = '', urlB = ''] = await Promise.all(servers.map(listen));

  return {
    urlA,
    urlB,
    env: {
      PROVIDER_A_BASE_URL: urlA,
      PROVIDER_B_BASE_URL: urlB,
      PROVIDER_B_TRANSCRIPTION_MODEL: 'gpt-4o-mini-transcribe',
      PROVIDER_B_IMAGE_MODEL: 'gpt-image-1',
    },
    script: (key, ...list) => void scripts.set(key, list),
    steer(key, usage) {
      const steered = new SteeredReply(usage);
      scripts.set(key, [steered]);
      return steered;
    },
    requestsOf: (key) => requests.get(key) ?? [],
    waitForRequest: (key, n = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = requests.get(key)?.[n - 1];
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      await Promise.all(servers.map(shut));
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  vendor: FakeVendor,
  request: IncomingMessage,
  response: ServerResponse,
  record: (request: RecordedRequest) => void,
  scriptFor: (request: RecordedRequest) => ReplyScript | SteeredReply | undefined,
): Promise<void> {
  const refuse = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  if (request.method === 'GET' && /^\/v1\/models(?:\?|$)/.test(request.url ?? '')) {
    const key = vendor.keyOf(request.headers);
    if (!key || key === REFUSED_KEY) return refuse(vendor.unknownKey[0], vendor.failure(...vendor.unknownKey));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(vendor.models));
    return undefined;
  }
  const [path] = request.url?.split('?') ?? [];
  const isForm = request.method === 'POST' && path === vendor.transcripts?.path;
  const isPicture = request.method === 'POST' && path === vendor.pictures?.path;
  const bytes = await bytesOf(request);
  const body = isForm ? parseForm(request, bytes) : parseBody(bytes.toString('utf8'));
  if (request.method !== 'POST' || !(isForm || isPicture || path === vendor.path)) {
    return refuse(404, vendor.failure(404, undefined, 'Not Found'));
  }
  if (body === undefined) return refuse(400, vendor.failure(400, undefined, 'The request body is not valid JSON'));

  const recorded = recordedRequest(vendor, request, response, body);
  record(recorded);
  const refusal = isForm
    ? vendor.transcripts?.refusal(body)
    : isPicture
      ? vendor.pictures?.refusal(body)
      : vendor.refusal(request.headers, body);
  if (refusal !== undefined) return refuse(refusal[0], vendor.failure(...refusal));
  const scripted = scriptFor(recorded);
  if (scripted === undefined) return refuse(vendor.unknownKey[0], vendor.failure(...vendor.unknownKey));
  const script = scripted instanceof SteeredReply ? usageOf(scripted) : scripted;
  if (script.unanswered === true) return;
  await script.hold;
  if (script.status !== undefined) {
    const { status, errorType, message } = script;
    return refuse(status, script.body ?? vendor.failure(status, errorType, message), script.headers);
  }
  if (isPicture) {
    response.writeHead(200, { 'content-type': 'application/json', ...script.headers });
    response.end(script.raw ?? JSON.stringify(vendor.pictures?.answer(script)));
    return undefined;
  }
  if (isForm) {
    response.writeHead(200, { 'content-type': 'application/json', ...script.headers });
    response.end(script.raw ?? JSON.stringify(vendor.transcripts?.answer(script)));
    return undefined;
  }
  if (body['stream'] !== true) return refuse(400, vendor.failure(400, undefined, 'this fake only streams'));

  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...script.headers });
  response.socket?.setNoDelay(true);
  const wire = vendor.wire(body, script);
  if (script.raw === undefined) await write(response, wire.opening(), script.splitBytes);
  for await (const step of scripted instanceof SteeredReply ? scripted.steps(recorded) : stepsOf(script)) {
    await play(step, response, wire, script.splitBytes);
  }
}

const usageOf = ({ usage }: SteeredReply): ReplyScript => (usage ? { usage } : {});

async function play(
  step: Step,
  response: ServerResponse,
  wire: FakeWire,
  splitBytes: number | undefined,
): Promise<void> {
  if ('text' in step) await write(response, wire.text(step.text), splitBytes);
  else if ('block' in step) await write(response, wire.block(step.block), splitBytes);
  else if ('raw' in step) await write(response, step.raw, splitBytes);
  else if ('error' in step) {
    await write(response, wire.error(step.error), splitBytes);
    response.end();
  } else if ('end' in step) {
    await write(response, wire.ending(step.end), splitBytes);
    response.end();
  } else if (step.do === 'close') response.end();
  else if (step.do === 'abort') {
    // Lets a client in this process read what was sent before the connection ends.
    for (let turn = 0; turn < 5; turn += 1) await turnOfLoop();
    response.destroy();
  }
}

async function write(response: ServerResponse, data: string | Uint8Array, splitBytes?: number): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const size = splitBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += size) {
    if (response.destroyed) return;
    // The callback runs after the flush, or with an error if the connection is closed, which is expected.
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + size), () => resolve()));
    if (splitBytes !== undefined) await turnOfLoop();
  }
}

function recordedRequest(
  vendor: FakeVendor,
  request: IncomingMessage,
  response: ServerResponse,
  body: Body,
): RecordedRequest {
  const closed = Promise.withResolvers<void>();
  const recorded: RecordedRequest = {
    provider: vendor.provider,
    apiKey: vendor.keyOf(request.headers) ?? '',
    headers: request.headers,
    body,
    remotePort: request.socket.remotePort,
    closed: closed.promise,
    closedEarly: false,
  };
  response.once('close', () => {
    recorded.closedEarly = !response.writableEnded;
    closed.resolve();
  });
  return recorded;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** The fields of a form; a file as its name, type and bytes. Undefined if it is no whole form. */
function parseForm({ headers }: IncomingMessage, bytes: Buffer): Body | undefined {
  const [, boundary] = /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '') ?? [];
  const text = bytes.toString('latin1');
  if (boundary === undefined || !text.endsWith(`\r\n--${boundary}--\r\n`)) return undefined;
  const fields: Record<string, unknown> = {};
  for (const part of text.split(`--${boundary}\r\n`).slice(1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    const value = part.slice(end + 4).replace(new RegExp(`\r\n(?:--${boundary}--\r\n)?$`), '');
    const named = (what: string) => new RegExp(`${what}"?([^"\r\n]*)`).exec(head)?.[1];
    const file = { name: named(' filename='), type: named('content-type: '), bytes: Buffer.from(value, 'latin1') };
    fields[named(' name=') ?? ''] = file.name === undefined ? value : file;
  }
  return fields;
}

function parseBody(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
