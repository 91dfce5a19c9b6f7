import { isCompressed, uncompressed } from '../outbound/bounded-body.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { JsonCounter } from '../rules/json-counter.ts';
import { ToolFault } from './tool-fault.ts';

/** Maximum bytes of one answer, and of all answers that one listing of tools takes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Maximum lists, objects and keys in the same: reading more of them would keep everybody waiting. */
const MAX_ANSWER_VALUES = 50_000;

/** The request of a call, watched on its way. After a redirect it is about the request that follows. */
export interface Watch {
  /** Ends the request and its connection. */
  readonly stop: AbortController;
  /** The tool changes nothing: its request may be sent again if the server closes a connection that was kept. */
  readonly onlyReads: boolean;
  /** From here on the server may have received it. */
  isConnected: boolean;
  /** The status of the answer, once there is one. */
  status: number | undefined;
  /** What the answer says about the credential that the server wants. */
  challenge?: string | undefined;
  /** Called when the body of a 2xx answer has ended, unless the server can go on with it on another request. */
  readonly ended: () => void;
}

type ClientFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * The `fetch` of one connection to a server of tools: guarded, without compression, with a maximum of bytes, and never
 * for the stream on which a server would send notifications, which nothing here reads.
 */
export class BoundedRequests {
  readonly #fetch: Fetch;
  readonly #watches = new Map<string, Watch>();
  /** Ends what runs when an answer is too long. */
  #overflow: (fault: ToolFault) => void = () => {};
  #left = wholeRoom();
  /** The status of the last answer since `begin`, calls aside. */
  lastStatus: number | undefined;
  /** What that answer said about the credential that the server wants. */
  lastChallenge: string | undefined;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** From now on the answers of other requests than calls may have the maximum of bytes together. */
  begin(onOverflow: (fault: ToolFault) => void): void {
    this.#left = wholeRoom();
    this.#overflow = onOverflow;
    this.lastStatus = undefined;
  }

  /** Watches the request of a call; the function that it returns ends that. */
  watch(callId: string, watch: Watch): () => void {
    this.#watches.set(callId, watch);
    return () => void this.#watches.delete(callId);
  }

  readonly fetch: ClientFetch = async (url, init = {}) => {
    const method = methodOf(init.method);
    const headers = Object.fromEntries(new Headers(init.headers));
    if (method === 'GET' && headers['last-event-id'] === undefined) return new Response(null, { status: 405 });
    const body = typeof init.body === 'string' ? init.body : undefined;
    const watch = body === undefined ? undefined : this.#watches.get(callIdOf(body) ?? '');
    if (watch) [watch.isConnected, watch.status] = [false, undefined];
    else this.lastStatus = undefined;
    const stopped = [init.signal, watch?.stop.signal].filter((signal) => signal !== undefined && signal !== null);
    const response = await this.#fetch(String(url), {
      method,
      headers: { ...headers, ...uncompressed },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.any(stopped),
      ...(watch && { onConnected: () => void (watch.isConnected = true), isRepeatable: watch.onlyReads }),
    });
    const challenge = response.headers.get('www-authenticate') ?? undefined;
    if (watch) [watch.status, watch.challenge] = [response.status, challenge];
    else [this.lastStatus, this.lastChallenge] = [response.status, challenge];
    if (isCompressed(response)) {
      void response.body?.cancel().catch(() => {});
      throw new ToolFault('protocol', 'it sends compressed answers although they were not asked for');
    }
    const { status } = response;
    return new Response(response.body?.pipeThrough(this.#limit(watch, response.ok)) ?? null, {
      status,
      headers: response.headers,
    });
  };

  #limit(watch: Watch | undefined, isOk: boolean): TransformStream<Uint8Array, Uint8Array> {
    const room = watch ? wholeRoom() : this.#left;
    const values = new JsonCounter();
    let hasIds = false;
    return new TransformStream({
      transform: (chunk, controller) => {
        room.bytes -= chunk.length;
        room.values -= values.count(chunk);
        hasIds ||= watch !== undefined && EVENT_ID.test(Buffer.from(chunk).toString('latin1'));
        if (room.bytes >= 0 && room.values >= 0) return controller.enqueue(chunk);
        const most = room.bytes < 0 ? `${MAX_ANSWER_BYTES / 1024 / 1024} MiB` : `${MAX_ANSWER_VALUES} values`;
        const fault = new ToolFault('protocol', `it sends more than ${most}`);
        controller.error(fault);
        if (watch) watch.stop.abort(fault);
        else this.#overflow(fault);
      },
      flush: () => {
        if (watch && !hasIds && isOk) watch.ended();
      },
    });
  }
}

/** What answers may still take. */
const wholeRoom = () => ({ bytes: MAX_ANSWER_BYTES, values: MAX_ANSWER_VALUES });

/** The id of an event, from which a client can go on with a stream that broke. */
const EVENT_ID = /^id:/m;

function methodOf(given: string | undefined): 'GET' | 'POST' | 'DELETE' {
  if (given === 'POST' || given === 'DELETE') return given;
  return 'GET';
}

/** The id that our own client has put into the request of a call. */
function callIdOf(body: string): string | undefined {
  if (!body.includes('"tools/call"')) return undefined;
  const { params = {} } = JSON.parse(body) as { params?: Record<string, Record<string, unknown>> }; // our client wrote it
  const id = params['_meta']?.[CALL_ID];
  return typeof id === 'string' ? id : undefined;
}

export const CALL_ID = 'parley/call_id';
