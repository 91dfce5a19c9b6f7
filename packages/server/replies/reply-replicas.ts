import { type EventParams, type Message, withPart } from '@parley/protocol';
import type { SharedEvent } from '../log/batch-payload.ts';
import type { OpenStream } from '../commits/effects.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { OpenText } from '../store/messages.ts';
import type { ShownReply } from './open-replies.ts';

/** A replica of another node's open reply, built from the events that the node publishes. */
class ReplyReplica implements ShownReply {
  readonly info: OpenStream;
  /** The node that owns the reply. */
  readonly node: number;
  told: OpenText;
  bytes: number;
  /** The revision of the text, which further parts do not change. */
  textRevision: number;
  lastSeq = 0;
  partSeq = 0;
  isDropped = false;
  /** A part of the text is missing: events of the reply are dropped until a snapshot brings the whole text. */
  isTorn: boolean;
  readonly draft: { told: (OpenText & { seq: number }) | null; latest: OpenText; activitySeq: number };

  constructor(info: OpenStream, node: number, isTorn: boolean) {
    this.info = info;
    this.node = node;
    this.isTorn = isTorn;
    this.told = { text: info.text, revision: info.revision, parts: info.parts };
    this.textRevision = info.revision;
    this.bytes = Buffer.byteLength(info.text);
    this.draft = { told: info.resumed ? null : { ...this.told, seq: 0 }, latest: this.told, activitySeq: 0 };
  }

  tell(text: string, revision: number, parts: OpenText['parts']): void {
    this.told = { text, revision, parts };
    this.textRevision = revision;
    this.draft.latest = this.told;
  }

  tellParts(parts: OpenText['parts'], revision: number): void {
    this.told = { ...this.told, revision, parts };
    const newest = { parts, partsRevision: revision };
    this.draft.latest = { ...this.draft.latest, ...newest };
    if (this.draft.told) this.draft.told = { ...this.draft.told, ...newest };
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

  all(): Iterable<ShownReply> {
    return this.#byKey.values();
  }

  get(messageKey: number): ShownReply | undefined {
    return this.#byKey.get(messageKey);
  }

  find(messageId: string): ShownReply | undefined {
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
  drop(messageKey: number): ShownReply | undefined {
    this.#ended?.add(messageKey);
    const replica = this.#byKey.get(messageKey);
    if (!replica) return undefined;
    replica.isDropped = true;
    this.#byKey.delete(messageKey);
    this.#byId.delete(replica.info.messageId);
    return replica;
  }

  /**
   * Applies an event from the owning node. Returns false if the event must be dropped: the reply has ended or the delta
   * does not fit.
   */
  heard({ kind, params, seq, draft = 0, standsFor = 0 }: SharedEvent, node: number): boolean {
    const replica = this.#byKey.get(draft);
    if (!replica || replica.node !== node) return false;
    switch (kind) {
      case 'messageDelta': {
        // The params as LiveStreams publishes them.
        const { delta, offset, content_revision } = JSON.parse(params) as MessageDelta;
        const bytes = replica.bytes + Buffer.byteLength(delta);
        if (replica.isTorn || bytes !== offset) return this.#tear(replica);
        replica.bytes = bytes;
        replica.tell(replica.told.text + delta, content_revision, replica.told.parts);
        replica.lastSeq = seq;
        break;
      }
      case 'streamSnapshot': {
        const { text, revision, parts } = textOf(params);
        replica.isTorn = false;
        replica.bytes = Buffer.byteLength(text);
        replica.tell(text, revision, parts);
        replica.lastSeq = seq;
        break;
      }
      case 'messagePart': {
        const { part, content_revision } = JSON.parse(params) as EventParams<'messagePart'>; // as LiveStreams publishes it
        const parts = replica.isTorn ? null : withPart(replica.told.parts, part);
        if (!parts) return this.#tear(replica);
        replica.tellParts(parts, content_revision);
        replica.partSeq = seq;
        break;
      }
      case 'patchSnapshot':
        replica.draft.told = { ...textOf(params), seq };
        break;
      case 'draftPatch': {
        const { rev } = JSON.parse(params) as { rev: number }; // as LiveStreams publishes it
        if (replica.isTorn || replica.textRevision !== rev) return false;
        replica.draft.told = { ...replica.draft.latest, revision: rev, seq };
        break;
      }
      default:
        replica.draft.activitySeq = seq;
    }
    if (standsFor & eventClass.activity) replica.draft.activitySeq = seq;
    if (standsFor & eventClass.patch) replica.draft.told = null;
    return true;
  }

  #tear(replica: ReplyReplica): false {
    replica.isTorn = true;
    this.#onTorn(replica.node);
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
