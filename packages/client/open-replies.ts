import type { EventParams, Message } from '@parley/protocol';
import { byteLength } from '@parley/protocol/byte-length';
import { withPart } from '@parley/protocol/part-changes';

const MAX_OPEN = 500;
const MAX_ENDED = 1_000;
/** Maximum deltas and parts kept while a message is being fetched. */
const MAX_KEPT = 500;
/** How long to wait for a requested text before requesting it again. */
const PATIENCE_MS = 10_000;

type Delta = EventParams<'messageDelta'>;
type Patch = EventParams<'messageDraftPatch'>;
type PartEvent = EventParams<'messagePart'>;

export interface OpenRepliesParts {
  monotonic: () => number;
  /** Requests snapshots of replies, which arrive as frames (cap `patch`). */
  askForSnapshot: (id: string) => void;
  /** Fetches a message; undefined if it is not visible or the call fails. */
  fetchMessage: (id: string) => Promise<Message | undefined>;
  /** Called when the text or the parts of a reply changed. */
  onText: (message: Message) => void;
}

/** A streaming reply as received so far. */
interface Reply {
  message: Message;
  /** Revision of the snapshot or patch that its text is from: the next patch is based on it (PART-7). */
  textRevision: number;
  /** UTF-8 length of its text; counted once, then updated with each delta. */
  bytes?: number;
}

/** A request for a reply as a whole: a fetch, for which later changes wait, or a snapshot, which follows them. */
interface Asked {
  at: number;
  isFetch: boolean;
  changes: (Delta | PartEvent)[];
}

/** The texts and parts of streaming replies. Deltas, patches and parts are applied here and are not passed on. */
export class OpenReplies {
  readonly #parts: OpenRepliesParts;
  readonly #open = new Map<string, Reply>();
  /** Last revisions of replies that ended recently; Infinity for deleted ones. One that is continued has later ones. */
  readonly #ended = new Map<string, number>();
  readonly #asked = new Map<string, Asked>();

  constructor(parts: OpenRepliesParts) {
    this.#parts = parts;
  }

  /** A placeholder or a snapshot; returns whether the reply was unknown. */
  open(message: Message): boolean {
    const isFirst = !this.#open.has(message.id);
    const changes = this.#asked.get(message.id)?.changes ?? [];
    this.#asked.delete(message.id);
    // A reply that had ended is being continued.
    this.#ended.delete(message.id);
    this.#set(message);
    for (const change of changes)
      if ('part' in change) this.part(change);
      else this.append(change);
    return isFirst;
  }

  /** Whether a snapshot outside the log is not newer than the copy (CAPS-9). */
  isOutdated({ id, content_revision, parts_revision = 0 }: Message): boolean {
    const ended = this.#ended.get(id);
    if (ended !== undefined) return content_revision <= ended;
    const known = this.#open.get(id);
    return (
      known !== undefined &&
      content_revision <= known.textRevision &&
      parts_revision <= Math.max(known.message.parts_revision ?? 0, known.message.content_revision)
    );
  }

  /** Merges a fetched message. A copy that already follows the log wins, because the next delta fits its end. */
  adopt(message: Message): Message {
    if (message.status !== 'streaming') {
      // The reply may have ended before the client started to follow the log.
      if (this.#open.has(message.id)) this.end(message.id, message.content_revision);
      return message;
    }
    const known = this.#open.get(message.id);
    if (known) return known.message;
    if (this.#hasEnded(message)) return message;
    this.#ended.delete(message.id);
    this.#set(message);
    return message;
  }

  /** A delta fits if it starts at the end of the copy; one that was already applied is skipped (STREAM-6). */
  append(delta: Delta): void {
    const { id, offset, content_revision } = delta;
    const reply = this.#open.get(id);
    if (!reply) return this.#hasEnded(delta) ? undefined : this.#askForText(delta);
    reply.bytes ??= byteLength(reply.message.content);
    if (offset <= reply.bytes) return undefined;
    if (offset - byteLength(delta.delta) !== reply.bytes) return this.#askForText(delta);
    const message = { ...reply.message, content: reply.message.content + delta.delta, content_revision };
    this.#open.set(id, { message, textRevision: content_revision, bytes: offset });
    return this.#parts.onText(message);
  }

  /** Applies a part, unless the copy is at least as new; without the text that it continues it fetches the message. */
  part(event: PartEvent): void {
    const { id, part, content_revision } = event;
    const reply = this.#open.get(id);
    if (!reply) return this.#hasEnded(event) ? undefined : this.#askForText(event);
    // What is fetched may be older than this part, and would replace it.
    if (this.#asked.get(id)?.isFetch) return this.#askForText(event);
    if (content_revision <= reply.message.content_revision) return undefined;
    const parts = withPart(reply.message.parts, part);
    if (!parts) return this.#askForText(event);
    const message = { ...reply.message, parts: [...parts], content_revision };
    this.#open.set(id, { ...reply, message });
    return this.#parts.onText(message);
  }

  /** Applies changed lines to the revision they are based on; without that one it requests a snapshot (CAPS-5). */
  patch({ id, base_rev, rev, ops }: Patch): void {
    const reply = this.#open.get(id);
    if (this.#hasEnded({ id, content_revision: rev })) return undefined;
    if (reply?.textRevision !== base_rev) return this.#askForSnapshot(id);
    const lines = reply.message.content.split('\n');
    for (const { at, del, ins } of ops.toReversed()) lines.splice(at, del, ...ins);
    const content_revision = Math.max(rev, reply.message.content_revision);
    const message = { ...reply.message, content: lines.join('\n'), content_revision };
    this.#set(message, rev);
    return this.#parts.onText(message);
  }

  end(id: string, revision: number): void {
    this.#open.delete(id);
    this.#asked.delete(id);
    this.#ended.delete(id);
    this.#ended.set(id, revision);
    shorten(this.#ended, MAX_ENDED);
  }

  leave(conversationId: string): void {
    for (const [id, { message }] of this.#open) if (message.conversation_id === conversationId) this.#open.delete(id);
  }

  /** Called with a new socket: answers to requests on the old one will not arrive. */
  reconnected(): void {
    this.#asked.clear();
  }

  /** Forgets all replies, because events were lost permanently. */
  forget(): void {
    this.#open.clear();
    this.#asked.clear();
  }

  #hasEnded({ id, content_revision }: Pick<Message, 'id' | 'content_revision'>): boolean {
    return content_revision <= (this.#ended.get(id) ?? -1);
  }

  #set(message: Message, textRevision = message.content_revision): void {
    this.#open.delete(message.id);
    this.#open.set(message.id, { message, textRevision });
    shorten(this.#open, MAX_OPEN);
  }

  #askForSnapshot(id: string): void {
    const now = this.#parts.monotonic();
    if (now - (this.#asked.get(id)?.at ?? -Infinity) < PATIENCE_MS) return;
    this.#asked.set(id, { at: now, isFetch: false, changes: [] });
    shorten(this.#asked, MAX_OPEN);
    this.#parts.askForSnapshot(id);
  }

  #askForText(change: Delta | PartEvent): void {
    const { id } = change;
    const asked = this.#asked.get(id);
    if (asked) {
      if (asked.changes.length < MAX_KEPT) asked.changes.push(change);
      return;
    }
    const asking = { at: this.#parts.monotonic(), isFetch: true, changes: [change] };
    this.#asked.set(id, asking);
    shorten(this.#asked, MAX_OPEN);
    void this.#parts.fetchMessage(id).then((message) => {
      if (this.#asked.get(id) !== asking) return;
      if (message?.status !== 'streaming') {
        this.#asked.delete(id);
        return;
      }
      const before = this.#open.get(id)?.message;
      this.open(message);
      const after = this.#open.get(id)?.message;
      // Unless a change that waited has already reported it.
      if (after && after === message && (after.content !== before?.content || after.parts !== before.parts))
        this.#parts.onText(after);
    });
  }
}

/** Drops the oldest entries above the maximum. */
function shorten(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
