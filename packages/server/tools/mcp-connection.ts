import type { Client, JSONRPCMessage, StreamableHTTPClientTransport, Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { EndpointRefused, NoSuchName } from '../outbound/endpoint-guard.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { USER_AGENT } from '../outbound/user-agent.ts';
import { BoundedRequests, CALL_ID, type Watch } from './bounded-requests.ts';
import { hasValidHeaders } from './mirrored-headers.ts';
import { ToolFault } from './tool-fault.ts';
import type { AnswerParams } from './tool-questions.ts';

/** The client library, loaded with the first server of tools: it takes a quarter of a second and 35 MB. */
export const library = () => import('@modelcontextprotocol/client');

/** The library's own limit of time, of which there is no use: our signals end every request. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const MAX_PAGES = 20;
/** One tool that is malformed does not spoil the others. */
const listPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });
/** Maximum tools of a server that are read; the rest is left out (TOOL-8). */
export const MAX_LISTED = 1_000;

export interface Target {
  url: string;
  /** The bearer token; undefined for none. */
  token: string | undefined;
}

export interface CallRequest {
  tool: string;
  arguments: object;
  callId: string;
  /** The tool's parameters, some of which the protocol repeats as headers. */
  inputSchema: object;
  /** What goes with a call that is sent again after its tool has asked something. */
  answers: AnswerParams;
}

export type CallResult = Awaited<ReturnType<Client['callTool']>>;

/** A connection to one server of tools, for one credential. Methods reject with a ToolFault. */
export class McpConnection {
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport;
  readonly #requests: BoundedRequests;
  /** It was used before: its server may have forgotten its session since then. */
  isKept = false;

  private constructor(client: Client, transport: StreamableHTTPClientTransport, requests: BoundedRequests) {
    this.#client = client;
    this.#transport = transport;
    this.#requests = requests;
  }

  /** Connects, in the newest revision that both speak. `stop` ends it. `isOld`: the server is known to be of the era of sessions. */
  static async open(
    fetch: Fetch,
    { url, token }: Target,
    isOld: boolean,
    stop: AbortController,
  ): Promise<McpConnection> {
    const { Client: McpClient, StreamableHTTPClientTransport: Transport } = await library();
    const requests = new BoundedRequests(fetch);
    requests.begin((fault) => stop.abort(fault));
    const transport = new Transport(new URL(url), {
      fetch: requests.fetch,
      ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    });
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withoutQuestions(message), options);
    const client = new McpClient(
      { name: 'parley', version: USER_AGENT.replace(/^.*\//, '') },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: 'auto' },
        // What the service does with a result does not depend on its schema, which is the server's own.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        }, // nothing is checked
      },
    );
    // Of a server that asks all the same.
    client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' as const }));
    const connection = new McpConnection(client, transport, requests);
    try {
      const options = {
        signal: stop.signal,
        timeout: NO_LIMIT_MS,
        ...(isOld && { prior: { kind: 'legacy' as const } }),
      };
      await orStopped(client.connect(transport, options), stop.signal);
      return connection;
    } catch (error) {
      connection.abandon();
      throw faultOf(error, stop.signal, requests.lastStatus, requests.lastChallenge);
    }
  }

  /** Whether the server keeps a session for this connection, which it can forget. */
  get hasSession(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  get isOld(): boolean {
    return this.#client.getProtocolEra() === 'legacy';
  }

  /** The first `MAX_LISTED` tools of the server, as it sent them, but those that ask for headers that nobody may send. */
  list(stop: AbortController): Promise<unknown[]> {
    return this.#read(stop, async () => {
      const tools: unknown[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES && tools.length < MAX_LISTED; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const found = await this.#client.request({ method: 'tools/list', params }, listPage, {
          signal: stop.signal,
          timeout: NO_LIMIT_MS,
        });
        tools.push(...found.tools);
        if (found.nextCursor === undefined || found.nextCursor === cursor) break;
        cursor = found.nextCursor;
      }
      const first = tools.slice(0, MAX_LISTED);
      return this.isOld ? first : first.filter(hasValidHeaders);
    });
  }

  /** Sends one call. `watch` says afterwards how far its request came. */
  async call(request: CallRequest, watch: Watch): Promise<CallResult> {
    const { tool: name, arguments: given, callId, inputSchema, answers } = request;
    const unwatch = this.#requests.watch(callId, watch);
    const params = {
      name,
      // An object, as the ledger has it.
      arguments: given as Record<string, unknown>,
      _meta: { [CALL_ID]: callId },
      ...answers,
    };
    const options = {
      signal: watch.stop.signal,
      timeout: NO_LIMIT_MS,
      allowInputRequired: true,
      // The library reads the headers from the schema that the service has pinned.
      toolDefinition: { name, inputSchema: inputSchema as Tool['inputSchema'] },
    };
    try {
      return await orStopped(this.#client.callTool(params, options), watch.stop.signal);
    } catch (error) {
      throw faultOf(error, watch.stop.signal, watch.status, watch.challenge);
    } finally {
      unwatch();
    }
  }

  /** Ends the session at the server, if there is one, and closes the connection. */
  async close(): Promise<void> {
    await this.#transport.terminateSession().catch(() => {});
    this.abandon();
  }

  /** Closes the connection at once. */
  abandon(): void {
    void this.#client.close().catch(() => {});
    void this.#transport.close().catch(() => {});
  }

  async #read<Value>(stop: AbortController, work: () => Promise<Value>): Promise<Value> {
    this.#requests.begin((fault) => stop.abort(fault));
    try {
      return await orStopped(work(), stop.signal);
    } catch (error) {
      throw faultOf(error, stop.signal, this.#requests.lastStatus, this.#requests.lastChallenge);
    }
  }
}

/**
 * In the old era a tool waits for its answer while the call runs, which no person can give in time: the handshake of that
 * era offers to answer no questions, so that servers neither wait nor count on it (TOOL-19).
 */
function withoutQuestions(message: JSONRPCMessage | JSONRPCMessage[]): JSONRPCMessage | JSONRPCMessage[] {
  if (Array.isArray(message) || !('method' in message) || message.method !== 'initialize') return message;
  const { elicitation: _, ...capabilities } = (message.params?.['capabilities'] ?? {}) as Record<string, unknown>; // of our client
  return { ...message, params: { ...message.params, capabilities } };
}

/** Also ends what its signal does not end. */
async function orStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  stopped.promise.catch(() => {});
  work.catch(() => {});
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Longest words of a server that are repeated. */
const MAX_WORDS = 300;

/** `status` and `challenge`: of the last answer. */
function faultOf(
  error: unknown,
  stop: AbortSignal,
  status: number | undefined,
  challenge: string | undefined,
): ToolFault {
  if (stop.reason instanceof ToolFault) return stop.reason;
  const causes = causesOf(error);
  const known = causes.find((cause) => cause instanceof ToolFault);
  if (known) return known;
  if (causes.some((cause) => cause instanceof EndpointRefused))
    return new ToolFault('off', 'the operator of this service does not allow its address');
  if (status === 401) return new ToolFault('login', 'it wants a credential', { status, challenge });
  if (status === 403 && challenge !== undefined && INSUFFICIENT.test(challenge))
    return new ToolFault('scope', 'it answers with status 403', { status, challenge });
  if (status === 404) return new ToolFault('forgotten', 'it answers with status 404', { status });
  // A JSON-RPC error has a number as its code, errors of the library and of Node a name.
  const told = causes.find((cause) => typeof codeOf(cause) === 'number');
  if (told) return new ToolFault('answered', wordsOf(told), { ...(status !== undefined && { status }) });
  if (status !== undefined && (status < 200 || status > 299))
    return new ToolFault('status', `it answers with status ${status}`, { status });
  if (status !== undefined)
    return new ToolFault('protocol', 'it sends no answer of the protocol', { status, cause: error });
  const isNowhere = causes.some((cause) => cause instanceof NoSuchName);
  return new ToolFault('unreachable', isNowhere ? 'its name has no address' : 'it cannot be reached', { cause: error });
}

/** The credential was not given all that the request needs (RFC 6750). */
const INSUFFICIENT = /\berror="?insufficient_scope\b/;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .toWellFormed()
    .replaceAll(/[\0\s]+/g, ' ')
    .slice(0, MAX_WORDS);

/** An error with all its causes. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && causes.length < 8; at = at instanceof Error ? at.cause : undefined)
    causes.push(at);
  return causes;
}
