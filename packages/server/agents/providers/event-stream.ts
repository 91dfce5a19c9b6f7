import { thisThread } from '../../core/held-thread.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { EndpointRefused, NoSuchName } from '../../outbound/endpoint-guard.ts';
import type { SlimEvent } from '../../rules/picture-events.ts';
import { jsonBytes } from './json-bytes.ts';
import { parsedJson } from './parsed-json.ts';
import { ProviderError } from './provider.ts';
import { type ServerEvent, ServerEvents } from './sse-events.ts';
import { errorOfResponse } from './vendor-errors.ts';
import type { VendorServer } from './vendor-server.ts';

const eventLimitChars = 1024 * 1024;
/** The same of a reply that may have pictures: base64 of 15 MiB. */
const largeEventChars = 20 * 1024 * 1024;
/** Events of at most this length are read at once. */
const SMALL_EVENT_CHARS = 64 * 1024;
/** Maximum replies of this process that hold an event of more than the usual length. */
const MAX_LARGE_EVENTS = 6;
let largeEvents = 0;
/** Maximum bytes of a response: far more than the longest reply with all its events. */
const responseLimitBytes = 64 * 1024 * 1024;
/** How long the rest of a response is read after its end mark, so that its connection can be reused. */
const graceMs = 1_000;
/**
 * How long more is awaited after the vendor has given the reason of the end, and after each thing that comes then
 * (PROVIDER-20). The usage, and text of servers that give a reason with every piece, follow within it.
 */
export const LATE_MS = 10_000;

interface VendorCall {
  server: VendorServer;
  /** After the server's base. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  apiKey: string;
  /** Reads events of the protocol that may hold pictures, in a thread of its own; without it there are none. */
  readLarge?: ((data: string) => Promise<SlimEvent | 'none' | null>) | undefined;
}

export interface VendorEvents extends AsyncIterable<ServerEvent> {
  /**
   * To be called at the end mark, or at an error. Reads the rest for a moment, so that the connection can be reused;
   * errors of the connection from then on are ignored.
   */
  finish(): void;
  /** The end is near: the iteration ends `LATE_MS` after the last call, at the latest. */
  expectEnd(): void;
  /** True if `expectEnd` was called, and then the connection broke, or that time passed, before the response ended. */
  readonly isCut: boolean;
}

/** Server-sent events in response to a POST. Leaving the iteration or aborting the signal closes the connection. */
export function openEventStream(call: VendorCall, clock: Clock, signal: AbortSignal, heard: () => void): VendorEvents {
  const connection = new AbortController();
  let state: 'reading' | 'ending' | 'finished' = 'reading';
  let isCut = false;
  let timer: Timer | undefined;

  const closeIn = (ms: number): void => {
    timer?.cancel();
    timer = clock.setTimer(() => connection.abort(), ms);
  };

  async function* read(): AsyncGenerator<ServerEvent> {
    try {
      const response = await post(call, clock, AbortSignal.any([signal, connection.signal]), heard);
      yield* parseEvents(response, heard, call.readLarge);
    } catch (error) {
      signal.throwIfAborted();
      if (state === 'finished') return;
      if (state === 'reading' || error instanceof ProviderError)
        throw error instanceof ProviderError ? error : connectionError(error);
      isCut = true;
    } finally {
      timer?.cancel();
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    finish() {
      if (state === 'finished') return;
      state = 'finished';
      closeIn(graceMs);
    },
    expectEnd() {
      if (state === 'finished') return;
      state = 'ending';
      closeIn(LATE_MS);
    },
    get isCut() {
      return isCut;
    },
  };
}

interface VendorResponse {
  body: ReadableStream<Uint8Array>;
  /** Its type is that of server-sent events, or not given. */
  isEvents: boolean;
}

async function post(call: VendorCall, clock: Clock, signal: AbortSignal, heard: () => void): Promise<VendorResponse> {
  // Checked here, because the error of fetch quotes a header value that it cannot send, which would expose the key.
  if (!/^[\x21-\x7e]*$/.test(call.apiKey) || (call.apiKey === '' && !call.server.isOwn)) {
    throw new ProviderError(
      'refused_key',
      'The API key of this agent is empty or contains characters that no key has.',
    );
  }
  const response = await call.server.fetch(`${call.server.base}${call.path}`, {
    method: 'POST',
    headers: {
      ...call.headers,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      // A compressing proxy would hold text back until its buffer is full.
      'accept-encoding': 'identity',
    },
    body: jsonBytes(call.body),
    redirect: 'manual',
    signal,
  });
  heard();
  if (!response.ok) throw await errorOfResponse(response, call.apiKey, clock);
  const type = response.headers.get('content-type');
  if (response.body === null || (type !== null && /html\b/i.test(type))) {
    await response.body?.cancel();
    throw noEventStream();
  }
  return { body: response.body, isEvents: type === null || /^text\/event-stream\b/i.test(type) };
}

const noEventStream = (): ProviderError =>
  new ProviderError('protocol', 'The provider answered with something other than an event stream.');

/** The events of a response. JSON instead of them, as servers send errors under the status 200, is one event. */
async function* parseEvents(
  { body, isEvents }: VendorResponse,
  heard: () => void,
  readLarge: VendorCall['readLarge'],
): AsyncGenerator<ServerEvent, void, undefined> {
  const parser = new ServerEvents(readLarge ? largeEventChars : eventLimitChars);
  const room = new LargeEventRoom();
  const slim = async (event: ServerEvent): Promise<ServerEvent> => {
    if (!readLarge || event.data.length <= SMALL_EVENT_CHARS) return event;
    const read = await readLarge(event.data);
    return read === null || read === 'none' ? event : { ...event, ...read };
  };
  // Decode as a stream: a character's bytes may be spread over chunks.
  const decoder = new TextDecoder();
  let received = 0;
  let hasEvents = false;
  const json = new JsonBody();
  try {
    for await (const bytes of body) {
      heard();
      received += bytes.length;
      if (received > responseLimitBytes) throw new ProviderError('protocol', 'The provider’s answer does not end.');
      const text = decoder.decode(bytes, { stream: true });
      const events = thisThread.run('provider chunk', () => parser.feed(text));
      hasEvents ||= events.length > 0;
      for (const event of events) yield await slim(event);
      if (parser.isTooLong) throw new ProviderError('protocol', 'The provider sent an event that is too long.');
      room.hold(parser.heldChars);
      if (!hasEvents) json.add(text);
    }
    const last = parser.end();
    for (const event of last) yield await slim(event);
    if (last.length > 0 || hasEvents) return undefined;
  } finally {
    room.leave();
  }
  if (json.isWhole) yield { name: '', data: json.text, isLast: false };
  else if (!isEvents) throw noEventStream();
  return undefined;
}

/** Bounds what all replies together hold of large events. */
class LargeEventRoom {
  #isHeld = false;

  hold(chars: number): void {
    if (this.#isHeld || chars <= eventLimitChars) return;
    if (largeEvents >= MAX_LARGE_EVENTS)
      throw new ProviderError('overloaded', 'Too many large pictures arrive at the same time.');
    this.#isHeld = true;
    largeEvents += 1;
  }

  leave(): void {
    if (this.#isHeld) largeEvents -= 1;
    this.#isHeld = false;
  }
}

/** A response that may be JSON instead of events. */
class JsonBody {
  #pieces: string[] = [];
  #chars = 0;
  #isOther = false;

  add(text: string): void {
    const piece = this.#chars === 0 ? text.trimStart() : text;
    if (this.#isOther || piece === '') return;
    this.#isOther = (this.#chars === 0 && !/^[{[]/.test(piece)) || this.#chars + piece.length > eventLimitChars;
    this.#chars += piece.length;
    if (this.#isOther) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  get text(): string {
    return this.#pieces.join('');
  }

  get isWhole(): boolean {
    return parsedJson(this.text) !== undefined;
  }
}

/** Reports only a system error's code: its message can quote headers, and so the key. */
export function connectionError(error: unknown): ProviderError {
  if (error instanceof EndpointRefused)
    return new ProviderError('bad_request', `The address of this agent is not allowed: it ${error.message}.`);
  if (error instanceof NoSuchName) return new ProviderError('bad_request', 'The name in the address does not exist.');
  // `fetch` reports the system's error as a cause, `node:http` as it is.
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return new ProviderError('interrupted', `The connection to the provider failed${code}.`);
}

/** The reply ended without the vendor's end mark: a part of it may be missing. */
export function missingEndMark(): ProviderError {
  return new ProviderError('interrupted', 'The provider’s reply broke off before its end.');
}

/** The JSON of an event. */
export function jsonOf({ data, isLast }: ServerEvent): unknown {
  const json = parsedJson(data);
  if (json !== undefined) return json;
  // Half an event: the connection ended within it.
  if (isLast) throw missingEndMark();
  throw new ProviderError('protocol', 'The provider sent an event that is not JSON.');
}

/** An event that the vendor would not send. */
export const unknownShape = (): ProviderError =>
  new ProviderError('protocol', 'The provider sent an event of an unknown shape.');
