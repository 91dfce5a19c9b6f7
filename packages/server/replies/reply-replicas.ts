import { type EventParams, type Message, withPart } from '@parley/protocol';
import type { SharedEvent } from '../log/batch-payload.ts';
import type { OpenStream } from '../commits/effects.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { OpenText } from '../rendering/messages.ts';
import { NumberedReply } from './numbered-reply.ts';
import type { DraftView, Numbered, ReplyView } from './reply-view.ts';

/** A replica of another node's open reply, built from the events that the node publishes. */
class ReplyReplica implements ReplyView {
  readonly info: OpenStream;
  /** The node that owns the reply. */
  readonly node: number;
  readonly #numbered: NumberedReply;
  #bytes: number;
  /** The revision of the text, which further parts do not change. */
  #textRevision: number;
  #isDropped = false;
  #isTorn: boolean;
  readonly #draft: { published: OpenText; numbered: DraftView['numbered']; activitySeq: number };

  constructor(info: OpenStream, node: number, isTorn: boolean) {
    this.info = info;
    this.node = node;
    this.#isTorn = isTorn;
    const open = { text: info.text, revision: info.revision, parts: info.parts };
    this.#numbered = new NumberedReply(open);
    this.#textRevision = info.revision;
    this.#bytes = Buffer.byteLength(info.text);
    const patched = info.resumed ? null : { ...open, seq: 0 };
    this.#draft = { published: open, numbered: patched, activitySeq: 0 };
  }

  get numbered(): Numbered {
    return this.#numbered;
  }

  get draft(): DraftView {
    return this.#draft;
  }

  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** A part of the text is missing: events of the reply are dropped until a snapshot brings the whole text. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  drop(): void {
    this.#isDropped = true;
  }

  /** Applies an event. Returns false if it must be dropped because it does not fit the text. */
  apply({ kind, params, seq, standsFor = 0 }: SharedEvent): boolean {
    switch (kind) {
      case 'messageDelta': {
        // The params as ReplyPublisher publishes them.
        const { delta, offset, content_revision } = JSON.parse(params) as MessageDelta;
        const bytes = this.#bytes + Buffer.byteLength(delta);
        if (this.#isTorn || bytes !== offset) return this.#tear();
        const { text, parts } = this.#numbered.open;
        this.#textNumbered({ text: text + delta, revision: content_revision, parts }, bytes, seq);
        break;
      }
      case 'streamSnapshot': {
        const { text, revision, parts } = textOf(params);
        this.#isTorn = false;
        this.#textNumbered({ text, revision, parts }, Buffer.byteLength(text), seq);
        break;
      }
      case 'messagePart': {
        const { part, content_revision } = JSON.parse(params) as EventParams<'messagePart'>; // as ReplyPublisher publishes it
        const parts = this.#isTorn ? null : withPart(this.#numbered.open.parts, part);
        if (!parts) return this.#tear();
        this.#partsNumbered(parts, content_revision, seq);
        break;
      }
      case 'patchSnapshot':
        this.#draft.numbered = { ...textOf(params), seq };
        break;
      case 'draftPatch': {
        const { rev } = JSON.parse(params) as { rev: number }; // as DraftViews publishes it
        if (this.#isTorn || this.#textRevision !== rev) return false;
        this.#draft.numbered = { ...this.#draft.published, revision: rev, seq };
        break;
      }
      default:
        this.#draft.activitySeq = seq;
    }
    if (standsFor & eventClass.activity) this.#draft.activitySeq = seq;
    if (standsFor & eventClass.patch) this.#draft.numbered = null;
    return true;
  }

  #textNumbered(open: OpenText, bytes: number, seq: number): void {
    this.#numbered.text(open, seq);
    this.#textRevision = open.revision;
    this.#bytes = bytes;
    this.#draft.published = open;
  }

  #partsNumbered(parts: OpenText['parts'], revision: number, seq: number): void {
    this.#numbered.parts(parts, revision, seq);
    const newest = { parts, partsRevision: revision };
    this.#draft.published = { ...this.#draft.published, ...newest };
    if (this.#draft.numbered) this.#draft.numbered = { ...this.#draft.numbered, ...newest };
  }

  #tear(): false {
    this.#isTorn = true;
    return false;
  }
}

/**
 * Replicas of the other nodes' open replies: the same text at the same place of the log as on the owning node
 * (CLUSTER-4).
 */
export class ReplyReplicas {
  readonly #byKey = new Map<number, ReplyReplica>();
  readonly #byId = new Map<string, ReplyReplica>();
  /** Replies that ended while `load` reads the open ones; null while nothing is loading. */
  #ended: Set<number> | null = null;
  readonly #onTorn: (node: number) => void;

  /** `onTorn` asks a node to publish its replies whole again; called for each delta that does not fit. */
  constructor(onTorn: (node: number) => void) {
    this.#onTorn = onTorn;
  }

  /** The nodes that own open replies. */
  owners(): Set<number> {
    return new Set(Array.from(this.#byKey.values(), ({ node }) => node));
  }

  /** The nodes that own open replies of which a part is missing here. */
  tornOwners(): Set<number> {
    const owners = new Set<number>();
    for (const { node, isTorn } of this.#byKey.values()) if (isTorn) owners.add(node);
    return owners;
  }

  get size(): number {
    return this.#byKey.size;
  }

  all(): Iterable<ReplyView> {
    return this.#byKey.values();
  }

  get(messageKey: number): ReplyView | undefined {
    return this.#byKey.get(messageKey);
  }

  find(messageId: string): ReplyView | undefined {
    return this.#byId.get(messageId);
  }

  /** The other node that owns this reply, if any. */
  ownerOf(messageId: string): number | undefined {
    return this.#byId.get(messageId)?.node;
  }

  /**
   * Opens replicas of the stored open replies, except those that end during the read. A replica starts with the
   * checkpointed text.
   */
  async load(read: () => Promise<readonly { info: OpenStream; node: number }[]>): Promise<void> {
    const ended = (this.#ended = new Set<number>());
    try {
      for (const { info, node } of await read())
        if (!ended.has(info.messageKey) && !this.#byKey.has(info.messageKey)) this.open(info, node, true);
    } finally {
      this.#ended = null;
    }
  }

  /** `isTorn`: a part of the text is missing. */
  open(info: OpenStream, node: number, isTorn = false): void {
    const replica = new ReplyReplica(info, node, isTorn);
    this.#byKey.set(info.messageKey, replica);
    this.#byId.set(info.messageId, replica);
  }

  /** Forgets the replica of a reply that has ended, and returns it. */
  drop(messageKey: number): ReplyView | undefined {
    this.#ended?.add(messageKey);
    const replica = this.#byKey.get(messageKey);
    if (!replica) return undefined;
    replica.drop();
    this.#byKey.delete(messageKey);
    this.#byId.delete(replica.info.messageId);
    return replica;
  }

  /**
   * Applies an event from the owning node. Returns false if the event must be dropped: the reply has ended or the delta
   * does not fit.
   */
  heard(event: SharedEvent, node: number): boolean {
    const replica = this.#byKey.get(event.draft ?? 0);
    if (!replica || replica.node !== node) return false;
    if (replica.apply(event)) return true;
    // The delta before a patch that does not fit has asked already.
    if (event.kind !== 'draftPatch') this.#onTorn(node);
    return false;
  }
}

interface MessageDelta {
  delta: string;
  offset: number;
  content_revision: number;
}

/** The content, parts and revision of a Message in JSON. */
function textOf(params: string): OpenText {
  const { content, content_revision, parts, parts_revision: partsRevision } = JSON.parse(params) as Message;
  return { text: content, revision: content_revision, parts, partsRevision };
}
