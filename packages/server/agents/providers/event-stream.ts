import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { z } from 'zod';
import { thisThread } from '../../core/held-thread.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { EndpointRefused, NoSuchName } from '../../outbound/endpoint-guard.ts';
import { jsonBytes } from './json-bytes.ts';
import { ProviderError } from './provider.ts';
import { errorOfResponse } from './vendor-errors.ts';
import type { VendorServer } from './vendor-server.ts';

const eventLimitChars = 1024 * 1024;
/** Maximum bytes of a response: far more than the longest reply with all its events. */
const responseLimitBytes = 64 * 1024 * 1024;
const graceMs = 1000;

export interface VendorCall {
  server: VendorServer;
  /** After the server's base. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  apiKey: string;
}

export interface VendorEvents extends AsyncIterable<EventSourceMessage> {
  /**
   * To be called at the end mark. Reads the rest for a moment, so that the connection can be reused; errors from then
   * on are ignored.
   */
  finish(): void;
}

/** Server-sent events in response to a POST. Leaving the iteration or aborting the signal closes the connection. */
export function openEventStream(call: VendorCall, clock: Clock, signal: AbortSignal, heard: () => void): VendorEvents {
  const connection = new AbortController();
  let grace: Timer | undefined;

  async function* read(): AsyncGenerator<EventSourceMessage> {
    try {
      const body = await post(call, clock, AbortSignal.any([signal, connection.signal]), heard);
      yield* parseEvents(body, heard);
    } catch (error) {
      signal.throwIfAborted();
      if (grace !== undefined) return;
      throw error instanceof ProviderError ? error : connectionError(error);
    } finally {
      grace?.cancel();
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    finish() {
      grace ??= clock.setTimer(() => connection.abort(), graceMs);
    },
  };
}

async function post(
  call: VendorCall,
  clock: Clock,
  signal: AbortSignal,
  heard: () => void,
): Promise<ReadableStream<Uint8Array>> {
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
  if (response.body === null || (type !== null && !/^text\/event-stream\b/i.test(type))) {
    await response.body?.cancel();
    throw new ProviderError('protocol', 'The provider answered with something other than an event stream.');
  }
  return response.body;
}

async function* parseEvents(
  body: AsyncIterable<Uint8Array>,
  heard: () => void,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const events: EventSourceMessage[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: eventLimitChars,
    onEvent: (event) => events.push(event),
    onError: (error) => {
      isTooLong ||= error.type === 'max-buffer-size-exceeded';
    },
  });
  // Decode as a stream: a character's bytes may be spread over chunks.
  const decoder = new TextDecoder();
  let received = 0;
  for await (const bytes of body) {
    heard();
    received += bytes.length;
    if (received > responseLimitBytes) throw new ProviderError('protocol', 'The provider’s answer does not end.');
    thisThread.run('provider chunk', () => parser.feed(decoder.decode(bytes, { stream: true })));
    yield* events.splice(0);
    if (isTooLong) throw new ProviderError('protocol', 'The provider sent an event that is too long.');
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

export function jsonOf(event: EventSourceMessage): unknown {
  try {
    return JSON.parse(event.data);
  } catch {
    throw new ProviderError('protocol', 'The provider sent an event that is not JSON.');
  }
}

export function shapeOf<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new ProviderError('protocol', 'The provider sent an event of an unknown shape.');
}
