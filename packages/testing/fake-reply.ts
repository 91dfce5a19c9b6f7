import type { IncomingHttpHeaders } from 'node:http';

/** What a fake vendor got. */
export interface RecordedRequest {
  readonly provider: 'provider_a' | 'provider_b';
  readonly apiKey: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the connection: two requests with the same port shared one. */
  readonly remotePort: number | undefined;
  /** Resolves when the reply is over, however it ended. */
  readonly closed: Promise<void>;
  /** True once the client has gone before the reply was over. */
  closedEarly: boolean;
}

/** `input` does not hold what was written to a cache or read from one, as with Anthropic. */
export interface FakeUsage {
  input: number;
  output: number;
  cacheWritten?: number;
  cacheRead?: number;
}

/** What a request gets. Without any field: a whole reply without text. */
export interface ReplyScript {
  /** Pieces of text, one event each. */
  chunks?: readonly string[];
  /**
   * What follows the chunks: the end mark; the connection torn down; closed in good order without the end mark; the
   * vendor's error event; nothing ever again.
   */
  ending?: 'end' | 'abort' | 'close' | 'error' | 'hang';
  /** The vendor's own word for why it ended: `end_turn`, `max_tokens`; `stop`, `length`. */
  finish?: string;
  /** The tokens that the vendor tells; null when it tells none. */
  usage?: FakeUsage | null;
  /** The vendor's own name of the error, in the stream or with `status`. */
  errorType?: string;
  message?: string;
  /** Bytes on the wire in place of the vendor's events. */
  raw?: string | Uint8Array;
  /** Every so many bytes are a write of their own: boundaries fall inside characters and lines. */
  splitBytes?: number;
  /** An error status instead of a reply, with the vendor's body unless `body` is given. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Not even the headers are sent. */
  unanswered?: true;
  /** Nothing is sent until it resolves. */
  hold?: Promise<unknown>;
}

export type Step =
  | { readonly text: string }
  | { readonly raw: string | Uint8Array }
  | { readonly error: string | undefined }
  | { readonly end: string | undefined }
  | { readonly do: 'abort' | 'close' | 'hang' };

export function* stepsOf(script: ReplyScript): Generator<Step> {
  if (script.raw !== undefined) yield { raw: script.raw };
  for (const text of script.chunks ?? []) yield { text };
  const ending = script.ending ?? 'end';
  if (ending === 'end') {
    if (script.raw === undefined) yield { end: script.finish };
    else yield { do: 'close' };
  } else if (ending === 'error') yield { error: script.errorType };
  else yield { do: ending };
}

/** A reply that the test drives: each call sends its part at once, or as soon as the request has come. */
export class SteeredReply {
  /** The request has come and the stream's opening is sent. */
  get started(): Promise<RecordedRequest> {
    return this.#started.promise;
  }

  /** The client has gone before the end. */
  get aborted(): Promise<void> {
    return this.#aborted.promise;
  }

  readonly usage: FakeUsage | undefined;
  #started = Promise.withResolvers<RecordedRequest>();
  #aborted = Promise.withResolvers<void>();
  #steps: Step[] = [];
  #wake: () => void = () => {};

  constructor(usage?: FakeUsage) {
    this.usage = usage;
  }

  text(text: string): void {
    this.#add({ text });
  }

  /** Bytes on the wire as they are. */
  raw(bytes: string | Uint8Array): void {
    this.#add({ raw: bytes });
  }

  end(finish?: string): void {
    this.#add({ end: finish });
  }

  error(type?: string): void {
    this.#add({ error: type });
  }

  /** Tears the connection down. */
  abort(): void {
    this.#add({ do: 'abort' });
  }

  /** Ends the reply in good order, but without the end mark. */
  close(): void {
    this.#add({ do: 'close' });
  }

  #add(step: Step): void {
    this.#steps.push(step);
    this.#wake();
  }

  async #watch(request: RecordedRequest): Promise<void> {
    await request.closed;
    if (request.closedEarly) this.#aborted.resolve();
    this.#wake();
  }

  /** For the fake's server. */
  async *steps(request: RecordedRequest): AsyncGenerator<Step> {
    this.#started.resolve(request);
    void this.#watch(request);
    for (;;) {
      const step = this.#steps.shift();
      if (step !== undefined) yield step;
      else if (request.closedEarly) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
