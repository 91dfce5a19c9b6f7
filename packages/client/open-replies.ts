import type { EventParams, Message } from '@parley/protocol';

const MOST_OPEN = 500;
const MOST_ENDED = 1_000;
/** Deltas that wait for a text that was asked for. */
const MOST_KEPT = 500;
/** Asked for again after so long, should no answer have come. */
const PATIENCE_MS = 10_000;

type Delta = EventParams<'messageDelta'>;
type Patch = EventParams<'messageDraftPatch'>;

export interface OpenRepliesParts {
  now: () => number;
  /** Asks for replies whole, as frames of their own (cap `patch`). */
  askForSnapshot: (id: string) => void;
  /** Fetches a message; undefined where it cannot be seen, or there is no answer. */
  fetchMessage: (id: string) => Promise<Message | undefined>;
  /** A text has grown or changed. */
  onText: (message: Message) => void;
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

/** A reply that is being written, as far as it has come. */
interface Reply {
  message: Message;
  /** Of its text, in UTF-8: counted at the first delta, not at every one. */
  bytes?: number;
}

/** The texts of replies that are being written: deltas and patches are applied here, and never leave. */
export class OpenReplies {
  readonly #parts: OpenRepliesParts;
  readonly #open = new Map<string, Reply>();
  /** Revisions of those that have ended lately; Infinity for deleted ones. */
  readonly #ended = new Map<string, number>();
  readonly #asked = new Map<string, { at: number; deltas: Delta[] }>();

  constructor(parts: OpenRepliesParts) {
    this.#parts = parts;
  }

  /** A placeholder or a snapshot; answers whether it is the first that is heard of it. */
  open(message: Message): boolean {
    const isFirst = !this.#open.has(message.id);
    const deltas = this.#asked.get(message.id)?.deltas ?? [];
    this.#asked.delete(message.id);
    this.#set(message);
    for (const delta of deltas) this.append(delta);
    return isFirst;
  }

  /** A snapshot outside the log that shows no more than is known already (CAPS-9). */
  isOutdated({ id, content_revision }: Message): boolean {
    const known = this.#ended.get(id) ?? this.#open.get(id)?.message.content_revision ?? -1;
    return content_revision <= known;
  }

  /** One that was fetched: what is followed already goes before it, since the next piece fits behind that. */
  adopt(message: Message): Message {
    if (message.status !== 'streaming') {
      // It may have ended before what is followed begins.
      if (this.#open.has(message.id)) this.end(message.id, message.content_revision);
      return message;
    }
    const known = this.#open.get(message.id);
    if (known) return known.message;
    if (!this.#ended.has(message.id)) this.#set(message);
    return message;
  }

  /** A delta fits where its start is the end of the copy; one that is there already is ignored (STREAM-6). */
  append(delta: Delta): void {
    const { id, offset, content_revision } = delta;
    const reply = this.#open.get(id);
    if (!reply) return this.#ended.has(id) ? undefined : this.#askForText(delta);
    reply.bytes ??= byteLength(reply.message.content);
    if (offset <= reply.bytes) return undefined;
    if (offset - byteLength(delta.delta) !== reply.bytes) return this.#askForText(delta);
    const message = { ...reply.message, content: reply.message.content + delta.delta, content_revision };
    this.#open.set(id, { message, bytes: offset });
    return this.#parts.onText(message);
  }

  /** Changed lines of the revision that is here; without that one the whole is asked for (CAPS-5). */
  patch({ id, base_rev, rev, ops }: Patch): void {
    const reply = this.#open.get(id);
    if (this.#ended.has(id)) return undefined;
    if (reply?.message.content_revision !== base_rev) return this.#askForSnapshot(id);
    const lines = reply.message.content.split('\n');
    for (const { at, del, ins } of ops.toReversed()) lines.splice(at, del, ...ins);
    const message = { ...reply.message, content: lines.join('\n'), content_revision: rev };
    this.#set(message);
    return this.#parts.onText(message);
  }

  end(id: string, revision: number): void {
    this.#open.delete(id);
    this.#asked.delete(id);
    this.#ended.delete(id);
    this.#ended.set(id, revision);
    shorten(this.#ended, MOST_ENDED);
  }

  leave(conversationId: string): void {
    for (const [id, { message }] of this.#open) if (message.conversation_id === conversationId) this.#open.delete(id);
  }

  /** Another socket: what was asked for does not come any more. */
  reconnected(): void {
    this.#asked.clear();
  }

  /** Frames are lost for good. */
  forget(): void {
    this.#open.clear();
    this.#asked.clear();
  }

  #set(message: Message): void {
    this.#open.delete(message.id);
    this.#open.set(message.id, { message });
    shorten(this.#open, MOST_OPEN);
  }

  #askForSnapshot(id: string): void {
    const now = this.#parts.now();
    if (now - (this.#asked.get(id)?.at ?? -Infinity) < PATIENCE_MS) return;
    this.#asked.set(id, { at: now, deltas: [] });
    shorten(this.#asked, MOST_OPEN);
    this.#parts.askForSnapshot(id);
  }

  #askForText(delta: Delta): void {
    const asked = this.#asked.get(delta.id);
    if (asked) {
      if (asked.deltas.length < MOST_KEPT) asked.deltas.push(delta);
      return;
    }
    const asking = { at: this.#parts.now(), deltas: [delta] };
    this.#asked.set(delta.id, asking);
    shorten(this.#asked, MOST_OPEN);
    void this.#parts.fetchMessage(delta.id).then((message) => {
      if (this.#asked.get(delta.id) !== asking) return;
      if (message?.status !== 'streaming') {
        this.#asked.delete(delta.id);
        return;
      }
      const before = this.#open.get(delta.id)?.message;
      this.open(message);
      const after = this.#open.get(delta.id)?.message;
      // Unless a piece that had waited has told it.
      if (after && after === message && after.content !== before?.content) this.#parts.onText(after);
    });
  }
}

/** Drops the oldest entries beyond the bound. */
function shorten(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
