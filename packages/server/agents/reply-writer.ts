import { isWebUrl, limits, type Part, type PartOf } from '@parley/protocol';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { cutTo, type Notice } from '../rules/reply-parts.ts';
import type { LiveStream } from '../replies/live-stream.ts';
import type { ProviderEvent } from './providers/provider.ts';

type EventOf<Type extends ProviderEvent['type']> = Extract<ProviderEvent, { type: Type }>;

/** Maximum JSON of the input or output of a tool that a provider ran; of more only the beginning is kept. */
const MAX_TOOL_BYTES = 32 * 1024;
/** What parts leave free, so that a notice can say that some are left out. */
const NOTICE_BYTES = 512;
/** The part that says so. */
const LEFT_OUT = 'left_out';
const LEFT_OUT_NOTICE: Notice = {
  text: 'The rest of what the model thought and looked up was too long to keep.',
  cause: { kind: 'parts_left_out' },
};

/** Reasoning whose text is still arriving. */
interface Thought {
  id: string;
  bytes: number;
  startedAt: number;
  half: string;
  isCut: boolean;
}

/** Writes what a provider sends into a reply: text, and parts with ids that count up (PART-19). */
export class ReplyWriter {
  readonly #stream: LiveStream;
  readonly #clock: Clock;
  /** The first half of a surrogate pair that was split between two events waits for the second. */
  #half = '';
  #thought: Thought | null = null;
  #lastId = 0;
  #hasNotice = false;
  /** What the service says about the request, by the part's id. */
  readonly #notices = new Map<string, Notice>();
  /** True once this request has brought text. */
  #hasText = false;
  /** The text before is of an earlier request. */
  #isBehind = false;
  /** When each tool began, and the parts of tools and sources, by the provider's key or the address. */
  readonly #startedAt = new Map<string, number>();
  readonly #tools = new Map<string, PartOf<'tool'>>();
  readonly #sources = new Map<string, PartOf<'source'>>();
  /** The addresses of those that are cited. */
  readonly #cited = new Set<string>();

  constructor(stream: LiveStream, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
  }

  /** Appends text. Returns false if the reply takes no more. */
  text(piece: string): boolean {
    this.#endThought();
    this.#writeNotices();
    const { whole, half } = withoutHalf(this.#half + piece);
    this.#half = half;
    const text = plain(whole);
    if (text === '') return this.#stream.append(text);
    const isApart = !this.#isBehind || /^\s/.test(text) || /^$|\s$/.test(this.#stream.text.slice(-1));
    this.#isBehind = false;
    return this.#stream.append(isApart ? text : `\n\n${text}`);
  }

  reasoning({ text }: EventOf<'reasoning'>): void {
    this.#thought ??= { id: this.#newId(), bytes: 0, startedAt: this.#clock.monotonic(), half: '', isCut: false };
    const { whole, half } = withoutHalf(this.#thought.half + text);
    this.#thought.half = half;
    this.#think(this.#thought, plain(whole));
  }

  tool({ key, name, input, output, status, error }: EventOf<'tool'>): void {
    this.#endThought();
    const now = this.#clock.monotonic();
    const startedAt = this.#startedAt.get(key) ?? now;
    this.#startedAt.set(key, startedAt);
    const known = this.#tools.get(key);
    const part: PartOf<'tool'> = {
      id: known?.id ?? this.#newId(),
      offset: known?.offset ?? this.#stream.bytes,
      type: 'tool',
      name: cutTo(plain(name), limits.nameBytes),
      ...(input !== undefined && { input: boundedJson(input) }),
      ...(output !== undefined && { output: boundedJson(output) }),
      status,
      ...(error !== undefined && { error: cutTo(plain(error), limits.partLineBytes) }),
      ...(status !== 'running' && { duration_ms: now - startedAt }),
    };
    if (this.#put(part)) this.#tools.set(key, part);
  }

  /** Shows a call of a tool that the service runs; returns the part's id, null if the reply has no room for it. */
  call({ name, title, ...state }: Pick<PartOf<'tool'>, 'name' | 'status' | 'call_id'> & { title: string | null }) {
    this.#endThought();
    const part: PartOf<'tool'> = {
      id: this.#newId(),
      offset: this.#stream.bytes,
      type: 'tool',
      name: cutTo(plain(name), limits.nameBytes),
      ...(title !== null && title !== '' && { title: cutTo(plain(title), limits.partLineBytes) }),
      ...state,
    };
    return this.#put(part) ? part.id : null;
  }

  /** The answer of the model is whole and stored: a later request writes behind it. */
  keep(): void {
    this.#hasText = true;
    this.#isBehind = true;
    this.#stream.keepParts();
  }

  /** A source is listed once, where it is first cited; the first citation that quotes it gives the excerpt. */
  source({ url, title, excerpt, isCited = false }: EventOf<'source'>): void {
    this.#endThought();
    if (!isWebUrl(url) || Buffer.byteLength(url) > limits.partUrlBytes) return;
    const known = this.#sources.get(url);
    const isFirstCited = isCited && !this.#cited.has(url);
    const isFirstQuoted = isCited && excerpt && known?.excerpt === undefined;
    if (known && !isFirstCited && !isFirstQuoted) return;
    const names = {
      title: known?.title ?? (title ? cutTo(plain(title), limits.partLineBytes) : undefined),
      excerpt: known?.excerpt ?? (excerpt ? cutTo(plain(excerpt), limits.partLineBytes) : undefined),
    };
    const part: PartOf<'source'> = {
      id: known?.id ?? this.#newId(),
      offset: known && !isFirstCited ? known.offset : this.#stream.bytes,
      type: 'source',
      url: plain(url),
      ...(names.title && { title: names.title }),
      ...(names.excerpt && { excerpt: names.excerpt }),
    };
    if (!this.#put(part)) return;
    this.#sources.set(url, part);
    if (isCited) this.#cited.add(url);
  }

  /**
   * Writes a notice of the service: with the first text, because a reply that is stopped before it
   * has text is deleted, unless it has parts (PART-11). A notice of a known `id` is replaced.
   */
  notice(id: string, notice: Notice | undefined): void {
    if (!notice) return;
    this.#notices.set(id, notice);
    if (this.#hasText) this.#writeNotice(id, notice);
  }

  /** The request is repeated: what it has written beside text is forgotten, but for the notices. */
  retry(): void {
    this.#thought = null;
    for (const known of [this.#startedAt, this.#tools, this.#sources, this.#cited]) known.clear();
    this.#hasNotice = false;
    this.#hasText = false;
    this.#stream.clearParts();
  }

  /** Called when nothing more follows, however the provider's stream ended. */
  stop(): void {
    this.#endThought();
  }

  end(): void {
    this.#endThought();
    this.#writeNotices();
    if (this.#half !== '') this.#stream.append(plain(this.#half));
    this.#half = '';
  }

  #writeNotices(): void {
    if (this.#hasText) return;
    this.#hasText = true;
    for (const [id, notice] of this.#notices) this.#writeNotice(id, notice);
  }

  #writeNotice(id: string, notice: Notice): void {
    this.#write(() => this.#putNotice(id, notice, NOTICE_BYTES));
  }

  #endThought(): void {
    const thought = this.#thought;
    if (!thought) return;
    this.#thought = null;
    this.#think(thought, plain(thought.half), this.#clock.monotonic() - thought.startedAt);
  }

  #think(thought: Thought, more: string, duration_ms?: number): void {
    const append = thought.isCut ? '' : more;
    if (append === '' && (duration_ms === undefined || thought.bytes === 0)) return;
    const { id, bytes } = thought;
    const text_offset = bytes + Buffer.byteLength(append);
    const growth = { id, append, text_offset, ...(duration_ms !== undefined && { duration_ms }) };
    if (this.#write(() => this.#stream.putPart(growth, NOTICE_BYTES))) thought.bytes = text_offset;
    else thought.isCut = true;
  }

  #put(part: Part): boolean {
    return this.#write(() => this.#stream.putPart(part, NOTICE_BYTES));
  }

  /** Returns false if the part is left out: the reply has ended, or has no room for it (PART-9). */
  #write(put: () => void): boolean {
    if (!this.#stream.takesText) return false;
    if (hasRoom(put)) return true;
    if (!this.#hasNotice) {
      this.#hasNotice = true;
      // A continued reply may have the notice already, or no room for it either.
      if (!this.#stream.partOf(LEFT_OUT)) hasRoom(() => this.#putNotice(LEFT_OUT, LEFT_OUT_NOTICE));
    }
    return false;
  }

  #putNotice(id: string, notice: Notice, freeBytes = 0): void {
    this.#stream.putPart({ id, offset: this.#stream.bytes, type: 'notice', ...notice }, freeBytes);
  }

  #newId(): string {
    // A continued reply has parts already.
    do this.#lastId += 1;
    while (this.#stream.partOf(String(this.#lastId)));
    return String(this.#lastId);
  }
}

/** Puts a part; false if there is no room for it. */
export function hasRoom(put: () => void): boolean {
  try {
    put();
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'too_large') return false;
    throw error;
  }
}

function withoutHalf(text: string): { whole: string; half: string } {
  const cut = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
  return { whole: text.slice(0, cut), half: text.slice(cut) };
}

/** Replaces what the stores cannot keep: half surrogate pairs and NUL (ERR-4 refuses both in input). */
const plain = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** A value that a tool was given or has answered, of bounded size; of a longer one, its beginning as a text. */
function boundedJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? plain(item) : item)) ?? 'null';
    if (Buffer.byteLength(json) <= MAX_TOOL_BYTES) return JSON.parse(json) as unknown;
    return `${cutTo(json, MAX_TOOL_BYTES / 2)}…`;
  } catch {
    // Too deep to be written as JSON.
    return undefined;
  }
}
