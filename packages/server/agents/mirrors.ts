import type { ToldEvent } from '../log/batch-payload.ts';
import type { OpenStream } from '../commits/effects.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { OpenText } from '../store/messages.ts';
import type { ShownReply } from './open-replies.ts';

/** An open reply of another node, as far as that has told of it. */
class Mirror implements ShownReply {
  readonly info: OpenStream;
  /** The node that has the reply itself. */
  readonly node: number;
  told: OpenText;
  bytes: number;
  lastSeq = 0;
  isDropped = false;
  /** Something of its text is missing: until it comes whole nothing of it is shown. */
  isTorn: boolean;
  readonly draft: { told: (OpenText & { seq: number }) | null; latest: OpenText; activitySeq: number };

  constructor(info: OpenStream, node: number, isTorn: boolean) {
    this.info = info;
    this.node = node;
    this.isTorn = isTorn;
    this.told = { text: info.text, revision: info.revision };
    this.bytes = Buffer.byteLength(info.text);
    this.draft = { told: info.resumed ? null : { ...this.told, seq: 0 }, latest: this.told, activitySeq: 0 };
  }

  tell(text: string, revision: number): void {
    this.told = { text, revision };
    this.draft.latest = this.told;
  }
}

/** The open replies of the other nodes: what is told of them makes the same text here, at the same place (CLUSTER-4). */
export class Mirrors {
  readonly #byKey = new Map<number, Mirror>();
  readonly #byId = new Map<string, Mirror>();
  /** Those that have ended while it is read which are open. */
  #ended: Set<number> | null = null;
  readonly #onTorn: (node: number) => void;

  /** `onTorn`: this node is to show its replies whole again; told of each piece that does not fit. */
  constructor(onTorn: (node: number) => void) {
    this.#onTorn = onTorn;
  }

  /** The nodes that have open replies. */
  owners(): Set<number> {
    return new Set(Array.from(this.#byKey.values(), ({ node }) => node));
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

  /** The node that has this reply; undefined when nobody else does. */
  ownerOf(messageId: string): number | undefined {
    return this.#byId.get(messageId)?.node;
  }

  /** Opens what is read as open, but for what has ended meanwhile. Of the texts only what was written down is known. */
  async load(read: () => Promise<readonly { info: OpenStream; node: number }[]>): Promise<void> {
    const ended = (this.#ended = new Set<number>());
    try {
      for (const { info, node } of await read())
        if (!ended.has(info.messageKey) && !this.#byKey.has(info.messageKey)) this.open(info, node, true);
    } finally {
      this.#ended = null;
    }
  }

  /** `isTorn`: something of its text is missing. */
  open(info: OpenStream, node: number, isTorn = false): void {
    const mirror = new Mirror(info, node, isTorn);
    this.#byKey.set(info.messageKey, mirror);
    this.#byId.set(info.messageId, mirror);
  }

  drop(messageKey: number): void {
    this.#ended?.add(messageKey);
    const mirror = this.#byKey.get(messageKey);
    if (!mirror) return;
    mirror.isDropped = true;
    this.#byKey.delete(messageKey);
    this.#byId.delete(mirror.info.messageId);
  }

  /** Takes what is told of an open reply; false where nobody may be shown it: it has ended, or does not fit. */
  heard({ kind, params, seq, draft = 0, standsFor = 0 }: ToldEvent, node: number): boolean {
    const mirror = this.#byKey.get(draft);
    if (!mirror || mirror.node !== node) return false;
    switch (kind) {
      case 'messageDelta': {
        // As LiveStreams publishes them.
        const { delta, offset, content_revision } = JSON.parse(params) as MessageDelta;
        const bytes = mirror.bytes + Buffer.byteLength(delta);
        if (mirror.isTorn || bytes !== offset) return this.#tear(mirror);
        mirror.bytes = bytes;
        mirror.tell(mirror.told.text + delta, content_revision);
        mirror.lastSeq = seq;
        break;
      }
      case 'streamSnapshot': {
        const { text, revision } = textOf(params);
        mirror.isTorn = false;
        mirror.bytes = Buffer.byteLength(text);
        mirror.tell(text, revision);
        mirror.lastSeq = seq;
        break;
      }
      case 'patchSnapshot':
        mirror.draft.told = { ...textOf(params), seq };
        break;
      case 'draftPatch': {
        const { rev } = JSON.parse(params) as { rev: number }; // as above
        if (mirror.isTorn || mirror.told.revision !== rev) return false;
        mirror.draft.told = { ...mirror.told, seq };
        break;
      }
      default:
        mirror.draft.activitySeq = seq;
    }
    if (standsFor & eventClass.activity) mirror.draft.activitySeq = seq;
    if (standsFor & eventClass.patch) mirror.draft.told = null;
    return true;
  }

  #tear(mirror: Mirror): false {
    mirror.isTorn = true;
    this.#onTorn(mirror.node);
    return false;
  }
}

interface MessageDelta {
  delta: string;
  offset: number;
  content_revision: number;
}

/** Of a Message as JSON. */
function textOf(params: string): OpenText {
  const { content, content_revision } = JSON.parse(params) as { content: string; content_revision: number };
  return { text: content, revision: content_revision };
}
