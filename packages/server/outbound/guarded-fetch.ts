import { Agent as PlainAgent, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import { EndpointGuard, EndpointRefused, type Resolve } from './endpoint-guard.ts';
import type { EndpointRule } from './endpoint-rule.ts';
import { USER_AGENT } from './user-agent.ts';

/** The part of `fetch` that our requests use. Redirects are not followed, whatever the caller asks for. */
export type Fetch = (
  url: string,
  request: {
    method: 'GET' | 'POST' | 'DELETE';
    headers: Record<string, string>;
    body?: string | Uint8Array<ArrayBuffer>;
    redirect: 'manual';
    signal: AbortSignal;
    /**
     * Called when there is a connection: from then on the server may have received the request. It is one of its own,
     * unless the request is repeatable: a kept connection that the server closes would leave that open. GuardedFetch only.
     */
    onConnected?: () => void;
    /** The request changes nothing: it is sent again if the server has closed the connection that was kept. */
    isRepeatable?: boolean;
  },
) => Promise<Response>;

/** The headers of a response that are passed on; a hostile server may send thousands. */
const KEPT_HEADERS = [
  'content-type',
  'content-encoding',
  'location',
  'retry-after',
  'www-authenticate',
  'mcp-session-id',
] as const;
/** Statuses whose response has no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);
const agentOptions = { keepAlive: true, maxFreeSockets: 8, timeout: 60_000 };

/**
 * Requests to addresses that people choose, for their agents, their tools and as links: only to public addresses and to origins that
 * the operator lists. Every connection is checked, so a name that resolves to another address later is checked again (CUSTOM-8).
 */
export class GuardedFetch {
  readonly #rule: EndpointRule;
  readonly #publicOnly: EndpointGuard;
  readonly #listed: EndpointGuard;
  readonly #agents = { 'https:': new Agent(agentOptions), 'http:': new PlainAgent(agentOptions) };

  constructor(rule: EndpointRule, resolve?: Resolve) {
    this.#rule = rule;
    this.#publicOnly = new EndpointGuard({ allowPrivate: false, ...(resolve && { resolve }) });
    this.#listed = new EndpointGuard({ allowPrivate: true, ...(resolve && { resolve }) });
  }

  /** Throws EndpointRefused if the URL rules the address out; makes no DNS query. */
  check(url: URL): void {
    this.#guardOf(url).check(url);
  }

  readonly fetch: Fetch = async (address, sent) => {
    const url = new URL(address);
    const guard = this.#guardOf(url);
    guard.check(url);
    const kept = this.#agents[isPlain(url) ? 'http:' : 'https:'];
    const isOwn = sent.onConnected !== undefined && sent.isRepeatable !== true;
    try {
      return responseOf(await answerTo(url, { ...sent, agent: isOwn ? false : kept, guard }));
    } catch (error) {
      if (!(error instanceof KeptConnectionClosed) || sent.isRepeatable !== true) throw error;
      return responseOf(await answerTo(url, { ...sent, agent: false, guard }));
    }
  };

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #guardOf(url: URL): EndpointGuard {
    if (this.#rule.origins.has(url.origin)) return this.#listed;
    if (!this.#rule.isPublicAllowed) throw new EndpointRefused('must have an address that the operator allows');
    return this.#publicOnly;
  }
}

const isPlain = (url: URL): boolean => url.protocol === 'http:';

/** The server has closed a connection that was kept, as it may at any time, instead of answering. */
class KeptConnectionClosed extends Error {}

type Sending = Parameters<Fetch>[1] & { agent: PlainAgent | false; guard: EndpointGuard };

function answerTo(
  url: URL,
  { method, headers, body, signal, onConnected, agent, guard }: Sending,
): Promise<IncomingMessage> {
  const [request, connected] = isPlain(url)
    ? ([requestPlain, 'connect'] as const)
    : ([requestSecure, 'secureConnect'] as const);
  const options = { method, headers: { ...headers, 'user-agent': USER_AGENT }, agent, signal, lookup: guard.lookup };
  return new Promise((resolve, reject) => {
    const sending = request(url, options)
      .on('socket', (socket) => {
        if (sending.reusedSocket) onConnected?.();
        else if (onConnected) socket.once(connected, onConnected);
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        const isClosed = sending.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(isClosed && !signal.aborted ? new KeptConnectionClosed(error.message, { cause: error }) : error);
      })
      .on('response', resolve)
      // 101 is no response to Node: without a listener it neither ends the request nor fails it.
      .on('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new Error('the server switched to another protocol'));
      })
      // Too late to matter after any of the above.
      .on('close', () => reject(new Error('the server closed the connection without an answer')));
    sending.end(body);
  });
}

/** The body is passed on as it arrives: it is neither decompressed nor held in memory. */
function responseOf(answer: IncomingMessage): Response {
  const { statusCode = 0, headers } = answer;
  // Ignore errors after the reader has stopped.
  answer.on('error', () => {});
  if (statusCode < 200 || statusCode > 599) {
    answer.destroy();
    throw new Error('the server answered with an impossible status');
  }
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)] satisfies [string, string]];
  });
  if (WITHOUT_BODY.has(statusCode)) answer.resume();
  // The stream of `node:stream/web` is the one of the global `Response`.
  const body = WITHOUT_BODY.has(statusCode) ? null : (Readable.toWeb(answer) as unknown as ReadableStream<Uint8Array>);
  return new Response(body, { status: statusCode, headers: kept });
}
