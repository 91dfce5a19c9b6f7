// The models behind agents: one port, an adapter per vendor's streaming API, and wrappers that add
// time limits and retries to each. This folder knows nothing of conversations or messages.
import type { MessageFile } from '../../rules/context-files.ts';
import type { ThinkingEffort } from '../../rules/run-config.ts';
import type { Refusal } from './refused-parts.ts';

export interface ProviderMessage {
  role: 'user' | 'assistant';
  text: string;
  /** Images and documents, which follow the text. */
  files?: readonly MessageFile[];
  /** The user who wrote it, if there are several. The text names them too, because some models see only the text. */
  from?: string;
}

/** A tool that the model may call. `name`: 1 to 64 of `[A-Za-z0-9_-]`, unique. `inputSchema`: a JSON Schema of an object. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: object;
}

/** What a call returned. */
export interface ToolResult {
  /** That of the `call`. */
  id: string;
  text: string;
  isError: boolean;
}

/** An answer of the model in which it called tools, and what the calls returned. */
export interface ProviderStep {
  /** From the `step` event: JSON in a form that only the provider knows. */
  blocks: unknown;
  /** Of each call; the model is told so where one is missing. Empty for an answer that the vendor paused. */
  results: readonly ToolResult[];
}

export interface ProviderRequest {
  /** Empty for a server of the agent's own that is asked without a key. */
  apiKey: string;
  /** The server of the agent's own; without it the provider's is asked. */
  baseUrl?: string;
  model: string;
  system?: string;
  messages: ProviderMessage[];
  /** Not sent with `thinking`: models that think take none. */
  temperature?: number;
  maxOutputTokens?: number;
  /** How much the model is asked to think before it answers; undefined: not at all. */
  thinking?: ThinkingEffort;
  /** Asks for it in the form of Anthropic's models before 4.6: with a budget of tokens. */
  thinksInBudget?: true;
  /** The tools that the model may call. Without them no `call` and no `step` comes. */
  tools?: readonly ToolDefinition[];
  /** The vendor's own search of the web is offered too. */
  webSearch?: true;
  /** What the model has answered to these messages so far, oldest first. */
  steps?: readonly ProviderStep[];
}

/**
 * `text` and `reasoning` are never empty. A `tool` of a known `key` replaces the former state. A `source` with `isCited` is
 * cited by the text before it. A `picture` that the model has drawn has its bytes, or an address; neither if it cannot be
 * read. `usage` is what the request has used so far; a later one replaces it. `retry`: another request
 * follows; what came beside text is void, the usage reported so far is kept, and the next `usage` belongs to the new
 * request. `unseen`: the model does not take these files; it got the text that stands for each. `unthought`: it cannot be asked to think
 * as the request says. `untooled`, `unsearched`: it takes no tools (or
 * not these `tools`), or has no search of the web, so that it was asked without. `end` is the last event.
 *
 * Just before `end`, if the model has called tools of the request: each `call` once, in order, and a `step`. They are to be
 * answered if the reason of the end is `tools`; after another one (`length`), a call may be cut. `arguments` is what the
 * model wrote, which may be anything; '{}' if it wrote nothing. With `isTooLong` it is the beginning of more than 256 Ki
 * characters, and no JSON. `name` has the form of a tool's name, but may be that of none. `id` is unique in the request.
 */
export type ProviderEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | {
      type: 'tool';
      key: string;
      name: string;
      input?: unknown;
      output?: unknown;
      status: 'running' | 'done' | 'failed';
      error?: string;
    }
  | { type: 'picture'; bytes?: Uint8Array; url?: string }
  | { type: 'source'; url: string; title?: string | undefined; excerpt?: string | undefined; isCited?: boolean }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'retry' }
  | { type: 'unseen'; files: readonly MessageFile[] }
  | { type: 'unthought' }
  | { type: 'untooled'; tools?: readonly string[] }
  | { type: 'unsearched' }
  | { type: 'call'; id: string; name: string; arguments: string; isTooLong?: true }
  | { type: 'step'; blocks: unknown }
  | { type: 'end'; reason: EndReason };

/** The event shows that the server has accepted the request; a server may report usage beside a refusal too. */
export const accepts = ({ type }: ProviderEvent): boolean =>
  type !== 'usage' && type !== 'untooled' && type !== 'unsearched';

/**
 * Why a reply ended without an error. `stop`: it is whole. `length`: at a token limit. `filtered`: by the vendor's content
 * filter. `tools`: with calls of tools that only a client could run. `paused`: the vendor will go on if it is asked to.
 * `unconfirmed`: the vendor said why it ends, but its stream did not end in time. `other`: for a reason that is not known.
 */
export type EndReason = 'stop' | 'length' | 'filtered' | 'tools' | 'paused' | 'unconfirmed' | 'other';

export interface AgentProvider {
  /**
   * Ends with an `end` event, or throws a ProviderError, or the signal's reason when it aborts (which closes the
   * connection immediately). `heard` is called for every received chunk, including those without an event, such as
   * pings.
   */
  stream(request: ProviderRequest, signal: AbortSignal, heard?: () => void): AsyncIterable<ProviderEvent>;
}

export type ProviderErrorKind =
  | 'refused_key'
  | 'no_credit'
  | 'rate_limited'
  | 'overloaded'
  | 'too_long'
  | 'filtered'
  | 'bad_request'
  | 'timeout'
  | 'interrupted'
  | 'protocol';

/** Whether the same request may succeed a moment later. Time-outs are not retried: the human has waited long enough. */
const retryableKinds: Record<ProviderErrorKind, boolean> = {
  refused_key: false,
  no_credit: false,
  rate_limited: true,
  overloaded: true,
  too_long: false,
  filtered: false,
  bad_request: false,
  timeout: false,
  interrupted: true,
  protocol: false,
};

/** The message is logged and shown to the key's owner: it contains no key, and only a short cleaned quote of the vendor. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** The message without the vendor's words, which others than the key's owner are not shown (ALERT-7). */
  readonly summary: string;
  /** The vendor's words, if it said any. */
  readonly quote?: string;
  readonly retryable: boolean;
  /** The HTTP status, when the vendor answered with one. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** What a refusal says beside its words. */
  readonly refusal: Refusal;

  constructor(
    kind: ProviderErrorKind,
    summary: string,
    details: {
      quote?: string | undefined;
      retryable?: boolean;
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      refusal?: Refusal;
    } = {},
  ) {
    super(details.quote === undefined ? summary : `${summary.replace(/\.$/, '')}: ${details.quote}`);
    this.kind = kind;
    this.summary = summary;
    if (details.quote !== undefined) this.quote = details.quote;
    this.refusal = details.refusal ?? {};
    this.retryable = details.retryable ?? retryableKinds[kind];
    if (details.status !== undefined) this.status = details.status;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}
