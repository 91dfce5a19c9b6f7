import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A JSON-RPC request or notification as the server received it. */
export interface Rpc {
  id?: number | string;
  method: string;
  params?: Record<string, unknown>;
}

/** A call that a tool has executed. */
export interface ExecutedCall {
  tool: string;
  arguments: Record<string, unknown>;
  /** As the service sent it in `_meta["parley/call_id"]`. */
  callId: unknown;
  token: string | null;
  /** Aborted when the client cancels the call or closes its connection. */
  stopped: AbortSignal;
}

/** A tool of the server. `run` returns a text, or a whole result of the protocol. */
export interface FakeTool {
  description?: string;
  title?: string;
  schema?: object;
  annotations?: object;
  run?: (given: Record<string, unknown>, call: ExecutedCall, rpc: Rpc) => unknown;
}

/** Which revisions the server speaks: those with a handshake and sessions, or the stateless one of 2026. */
type Era = 'sessions' | 'stateless';

const STATELESS = '2026-07-28';
const SESSIONS = '2025-11-25';

/** An MCP server over Streamable HTTP on loopback, which counts what it executes and misbehaves on demand. */
export interface FakeToolServer {
  readonly origin: string;
  readonly url: string;
  readonly requests: readonly { method: string; path: string; token: string | null; rpc: Rpc | undefined }[];
  readonly calls: readonly ExecutedCall[];
  tools: Record<string, FakeTool>;
  /** The bearer tokens that it accepts; null accepts everyone. */
  tokens: readonly string[] | null;
  era: Era;
  /** What it says to requests without a good token. */
  challenge: string;
  /** Answers in place of the server; returns false to let it answer. */
  answer:
    | ((request: IncomingMessage, response: ServerResponse, rpc: Rpc | undefined, body: string) => boolean | void)
    | undefined;
  /** Answers with a stream of events instead of JSON. */
  streams: boolean;
  /** Maximum tools of a page. */
  pageSize: number;
  /** Forgets all sessions: requests of theirs are answered with 404. */
  forgetSessions(): void;
  /** How many requests of this method were received. */
  count(method: string): number;
  /** Resolves when so many requests of this method were received in all. */
  received(method: string, times: number): Promise<void>;
  /** Resolves when a tool was executed so many times in all. */
  executed(tool: string, times?: number): Promise<ExecutedCall>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `port`: where it listens; by default at a free one. */
export async function startToolServer(tools: Record<string, FakeTool> = {}, port = 0): Promise<FakeToolServer> {
  const requests: { method: string; path: string; token: string | null; rpc: Rpc | undefined }[] = [];
  const calls: ExecutedCall[] = [];
  const sessions = new Set<string>();
  const running = new Map<number | string, AbortController>();
  const waiting = new Set<() => void>();

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const rpc = rpcOf(body);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
    requests.push({ method: request.method ?? '', path: request.url ?? '', token, rpc });
    for (const look of waiting) look();
    if (fake.answer && fake.answer(request, response, rpc, body) !== false) return;
    if (request.method === 'DELETE') {
      sessions.delete(String(request.headers['mcp-session-id']));
      response.writeHead(204).end();
    } else if (request.method !== 'POST') response.writeHead(405).end();
    else if (fake.tokens !== null && !(token !== null && fake.tokens.includes(token)))
      response.writeHead(401, { 'www-authenticate': fake.challenge }).end();
    else if (rpc) await answer(request, response, rpc, token);
    else response.writeHead(400).end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse, rpc: Rpc, token: string | null) {
    if (rpc.id === undefined) {
      if (rpc.method === 'notifications/cancelled') running.get(String(rpc.params?.['requestId']))?.abort();
      response.writeHead(202).end();
      return;
    }
    const session = request.headers['mcp-session-id'];
    const isStateless = metaOf(rpc)['io.modelcontextprotocol/protocolVersion'] === STATELESS;
    if (isStateless !== (fake.era === 'stateless')) return send(response, { error: noMethod(rpc) }, rpc, 400);
    if (fake.era === 'sessions' && rpc.method !== 'initialize' && !sessions.has(String(session)))
      return void response.writeHead(404).end();
    const headers: Record<string, string> = {};
    if (rpc.method === 'initialize') {
      const id = randomUUID();
      sessions.add(id);
      headers['mcp-session-id'] = id;
    }
    const stop = new AbortController();
    running.set(String(rpc.id), stop);
    response.on('close', () => response.writableFinished || stop.abort());
    try {
      const answered = await resultOf(rpc, token, stop.signal);
      if (!response.destroyed) send(response, answered, rpc, 200, headers);
    } finally {
      running.delete(String(rpc.id));
    }
  }

  async function resultOf({ method, params = {}, ...rpc }: Rpc, token: string | null, stopped: AbortSignal) {
    const complete = fake.era === 'stateless' ? { resultType: 'complete' } : {};
    const capabilities = { tools: {} };
    if (method === 'ping') return { result: {} };
    if (method === 'initialize')
      return { result: { protocolVersion: SESSIONS, capabilities, serverInfo: { name: 'fake', version: '1' } } };
    if (method === 'server/discover') {
      const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1' } };
      return {
        result: {
          ...complete,
          supportedVersions: [STATELESS],
          capabilities,
          ttlMs: 0,
          cacheScope: 'private',
          _meta: serverInfo,
        },
      };
    }
    if (method === 'tools/list') return { result: { ...complete, ...page(params['cursor']) } };
    if (method !== 'tools/call') return { error: noMethod({ method }) };
    const tool = String(params['name']);
    const found = fake.tools[tool];
    if (!found) return { error: { code: -32602, message: `Unknown tool: ${tool}` } };
    const { arguments: given = {}, _meta: meta } = params as { arguments?: Record<string, unknown>; _meta?: object };
    const call = {
      tool,
      arguments: given,
      callId: isRecord(meta) ? meta['parley/call_id'] : undefined,
      token,
      stopped,
    };
    calls.push(call);
    for (const look of waiting) look();
    try {
      const value = await (found.run ?? (() => 'done'))(given, call, { ...rpc, method, params });
      return {
        result: { ...complete, ...(isRecord(value) ? value : content(typeof value === 'string' ? value : 'done')) },
      };
    } catch (error) {
      return {
        result: { ...complete, ...content(error instanceof Error ? error.message : String(error)), isError: true },
      };
    }
  }

  function page(cursor: unknown) {
    const from = Number(cursor ?? 0);
    const all = Object.entries(fake.tools);
    const tools = all.slice(from, from + fake.pageSize).map(([name, { description, title, schema, annotations }]) => ({
      name,
      ...(title !== undefined && { title }),
      description: description ?? `The tool ${name}.`,
      inputSchema: schema ?? { type: 'object', properties: {} },
      ...(annotations && { annotations }),
    }));
    const next = from + fake.pageSize;
    const hints = fake.era === 'stateless' ? { ttlMs: 0, cacheScope: 'private' } : {};
    return { tools, ...hints, ...(next < all.length && { nextCursor: String(next) }) };
  }

  function send(response: ServerResponse, answered: object, rpc: Rpc, status = 200, headers: object = {}): void {
    const text = JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...answered });
    const type = fake.streams && status === 200 ? 'text/event-stream' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(type === 'application/json' ? text : `event: message\ndata: ${text}\n\n`);
  }

  /** Resolves with the first value that `look` finds, now or after another request. */
  const until = <Value>(find: () => Value | undefined): Promise<Value> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo; // it listens on TCP
  const origin = `http://127.0.0.1:${address.port}`;
  const fake: FakeToolServer = {
    origin,
    url: `${origin}/mcp`,
    requests,
    calls,
    tools,
    tokens: null,
    challenge: 'Bearer',
    era: 'sessions',
    answer: undefined,
    streams: false,
    pageSize: 1_000,
    forgetSessions: () => sessions.clear(),
    count: (method) => requests.filter(({ rpc }) => rpc?.method === method).length,
    received: async (method, times) => void (await until(() => fake.count(method) >= times || undefined)),
    executed: (tool, times = 1) => until(() => calls.filter((call) => call.tool === tool)[times - 1]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

const content = (text: string) => ({ content: [{ type: 'text', text }] });
const noMethod = ({ method }: Pick<Rpc, 'method'>) => ({ code: -32601, message: `Method not found: ${method}` });
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const metaOf = ({ params }: Rpc): Record<string, unknown> => {
  const meta = params?.['_meta'];
  return isRecord(meta) ? meta : {};
};

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

function rpcOf(text: string): Rpc | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value['method'] === 'string' ? (value as unknown as Rpc) : undefined; // just checked
  } catch {
    return undefined;
  }
}
