// The models behind agents: one port, an adapter per vendor's streaming API, and wrappers that add
// time limits and retries to any of them. Nothing in this folder knows of conversations or messages.

export interface ProviderMessage {
  role: 'user' | 'assistant';
  text: string;
  /** Who of several users wrote it. The text names them too: not every model is shown more than the text. */
  from?: string;
}

export interface ProviderRequest {
  apiKey: string;
  model: string;
  system?: string;
  messages: ProviderMessage[];
  temperature?: number;
  maxOutputTokens?: number;
}

/**
 * `text` is never empty. `usage` counts the whole request, as far as the vendor has told; a later one replaces it, until
 * a `retry` says that the request is made again: what was told stands, and the next `usage` is another request's.
 * After `end` comes nothing.
 */
export type ProviderEvent =
  | { type: 'text'; text: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'retry' }
  | { type: 'end'; reason: EndReason };

export type EndReason = 'stop' | 'length' | 'other';

export interface AgentProvider {
  /**
   * Ends with an `end` event, or throws: a ProviderError, or the signal's reason once it aborts (which closes the
   * connection at once). `heard` is called at every sign of life, also those that carry no event, such as pings.
   */
  stream(request: ProviderRequest, signal: AbortSignal, heard?: () => void): AsyncIterable<ProviderEvent>;
}

export type ProviderErrorKind =
  | 'refused_key'
  | 'rate_limited'
  | 'overloaded'
  | 'bad_request'
  | 'timeout'
  | 'interrupted'
  | 'protocol';

/** Whether the same request may succeed a moment later. A time-out has kept a human waiting long enough already. */
const retryableKinds: Record<ProviderErrorKind, boolean> = {
  refused_key: false,
  rate_limited: true,
  overloaded: true,
  bad_request: false,
  timeout: false,
  interrupted: true,
  protocol: false,
};

/** The message is shown to people and logged: it holds no key, and of the vendor's words only a short cleaned part. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly retryable: boolean;
  /** The HTTP status, when the vendor answered with one. */
  readonly status?: number;
  readonly retryAfterMs?: number;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: { retryable?: boolean; status?: number | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    this.retryable = details.retryable ?? retryableKinds[kind];
    if (details.status !== undefined) this.status = details.status;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}
