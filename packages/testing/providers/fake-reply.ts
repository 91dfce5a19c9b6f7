import type { IncomingHttpHeaders } from 'node:http';

/** A request that a fake vendor received. */
export interface RecordedRequest {
  readonly provider: 'provider_a' | 'provider_b';
  readonly apiKey: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Port of the client: two requests with the same port used the same connection. */
  readonly remotePort: number | undefined;
  /** Resolves when the reply is over, however it ended. */
  readonly closed: Promise<void>;
  /** True if the client disconnected before the reply was over. */
  closedEarly: boolean;
}

/** `input` excludes tokens written to or read from a cache, as with Anthropic. */
export interface FakeUsage {
  input: number;
  output: number;
  cacheWritten?: number;
  cacheRead?: number;
}

/** The answer to a request. Without any field: a complete reply without text. */
export interface ReplyScript {
  /** Pieces of text, one event each, and what comes beside it. */
  chunks?: readonly (string | FakeBlock)[];
  /** Where a server of `provider_b` sends what its model thinks. */
  reasoningField?: 'reasoning_content' | 'reasoning';
  /**
   * What follows the chunks: the end event; a reset connection; a clean close without the end event; the vendor's error
   * event; nothing.
   */
  ending?: 'end' | 'abort' | 'close' | 'error' | 'hang';
  /** The vendor's reason for the end: `end_turn`, `max_tokens`; `stop`, `length`. */
  finish?: string;
  /** The tokens that the vendor reports; null for none. */
  usage?: FakeUsage | null;
  /** The picture that it draws, as bytes or by an address, and what it made of the prompt. */
  picture?: { readonly bytes?: Uint8Array; readonly url?: string; readonly revised?: string };
  /** The vendor's name of the error, in the stream or with `status`. */
  errorType?: string;
  message?: string;
  /** Raw bytes instead of the vendor's events. */
  raw?: string | Uint8Array;
  /** Bytes per write, so that boundaries fall inside characters and lines. */
  splitBytes?: number;
  /** An error status instead of a reply, with the vendor's body unless `body` is given. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Sends nothing, not even headers. */
  unanswered?: true;
  /** Sends nothing until this resolves. */
  hold?: Promise<unknown>;
}

export interface FakeSource {
  readonly url: string;
  readonly title?: string;
  /** What a citation quotes. */
  readonly quoted?: string;
}

/**
 * Pieces of reasoning; a web search that the vendor ran; a tool of an MCP server that it ran; a call of a tool that the
 * client should run (`json`: what the model wrote in place of the input); a text that cites sources.
 */
export type FakeBlock =
  | { readonly reasoning: readonly string[] }
  | { readonly search: string; readonly found: readonly FakeSource[] | { readonly error: string } }
  | { readonly mcp: string; readonly input: object; readonly answers: string; readonly isError?: boolean }
  | { readonly call: string; readonly input: object; readonly json?: string }
  | { readonly text: string; readonly cites: readonly FakeSource[] };

export type Step =
  | { readonly text: string }
  | { readonly block: FakeBlock }
  | { readonly raw: string | Uint8Array }
  | { readonly error: string | undefined }
  | { readonly end: string | undefined }
  | { readonly do: 'abort' | 'close' | 'hang' };

export function* stepsOf(script: ReplyScript): Generator<Step> {
  if (script.raw !== undefined) yield { raw: script.raw };
  for (const piece of script.chunks ?? []) yield typeof piece === 'string' ? { text: piece } : { block: piece };
  const ending = script.ending ?? 'end';
  if (ending === 'end') {
    if (script.raw === undefined) yield { end: script.finish };
    else yield { do: 'close' };
  } else if (ending === 'error') yield { error: script.errorType };
  else yield { do: ending };
}

/** A reply that the test drives: each call sends its part immediately, or once the request has arrived. */
export class SteeredReply {
  /** Resolves when the request has arrived and the stream's opening is sent. */
  get started(): Promise<RecordedRequest> {
    return this.#started.promise;
  }

  /** Resolves when the client disconnects before the end. */
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

  block(block: FakeBlock): void {
    this.#add({ block });
  }

  /** Sends raw bytes. */
  raw(bytes: string | Uint8Array): void {
    this.#add({ raw: bytes });
  }

  end(finish?: string): void {
    this.#add({ end: finish });
  }

  error(type?: string): void {
    this.#add({ error: type });
  }

  /** Resets the connection. */
  abort(): void {
    this.#add({ do: 'abort' });
  }

  /** Ends the reply cleanly but without the end event. */
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

  /** The parts of the reply, in order, for the fake vendor's server, which calls this when the request has arrived. */
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
