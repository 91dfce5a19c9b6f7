// replies/: open replies: their text and parts in memory, what is published and stored of them, their replicas on other
// nodes. Imports messages and below; knows nothing of turns, providers and usage, which are in agents.
import type { Part, Price, TokenUsage } from '@parley/protocol';
import type { OpenStream } from '../commits/effects.ts';
import {
  canEnd,
  isOver,
  isRevoked,
  nextReplyState,
  type ReplyEvent,
  type ReplyState,
  takesText,
} from '../rules/reply-states.ts';
import { priceOf, type Rate } from '../rules/prices.ts';
import type { OpenText } from '../store/messages.ts';
import { DraftState } from './draft-views.ts';
import { OpenParts } from './open-parts.ts';
import { StreamLease } from './stream-lease.ts';

/** Usual number of bytes per token of the vendors' models, for English text. */
export const BYTES_PER_TOKEN = 4;

/** The reply of an agent while it streams: the text belongs to the server, not to a connection (STREAM-1). */
export class LiveStream {
  readonly info: OpenStream;
  text: string;
  bytes: number;
  /** Null while the reply has no parts. */
  parts: OpenParts | null;
  /** The newest published revision. Text that is not published yet gets the next one, see `currentRevision`. */
  revision: number;
  cancelRequested: boolean;
  /** Set while an end that the daemon requested is being stored; resolves when the end is stored or has failed. */
  end: Promise<void> | null = null;
  #state: ReplyState = 'open';
  /** True while a snapshot is being rendered. */
  isRendering = false;
  /** The number of the newest event of the reply's text in the log; `partSeq`: of its parts. */
  lastSeq = 0;
  partSeq = 0;
  /** The text and parts that a client has after both. */
  told: OpenText;
  /** Length of the published text, in UTF-16 units. */
  shown: number;
  replaced: boolean;
  /** When to publish the whole text again after an outdated snapshot; `remadeAt`: when that last happened. */
  remakeAt = Infinity;
  remadeAt = -Infinity;
  /** True until the first change after a restart is published; that change is sent as the whole text (STREAM-14). */
  isResumed: boolean;
  /** True after a restart until the stored text is published whole. */
  isUntold: boolean;
  /** What sockets with the caps `patch` and `focus` have received of the reply. */
  readonly draft: DraftState;
  /** The usage that the running request has reported; `checkpointedUsage`: the part of it that is stored. */
  usage: TokenUsage | null = null;
  checkpointedUsage: TokenUsage | null = null;
  /** The price of the model that the running request asks; null if none is known. */
  rate: Rate | null = null;
  /** Bytes sent to the provider; 0 until there is a request. */
  askedBytes = 0;
  checkpointed: string;
  checkpointedParts: readonly Part[] | undefined;
  checkpointAt = -Infinity;
  checkpointing = false;
  revisionReserved: number;
  /** Bytes of text and parts that the turn began with: another request has written and booked them. */
  readonly #begunBytes: number;
  readonly lease: StreamLease;

  constructor(info: OpenStream, now: number) {
    this.info = info;
    this.text = info.text;
    this.bytes = Buffer.byteLength(info.text);
    this.revision = info.revision;
    this.revisionReserved = info.revisionReserved;
    this.cancelRequested = info.cancelRequested;
    this.parts = info.parts.length === 0 ? null : new OpenParts(info.parts);
    this.told = { text: info.text, revision: info.revision, parts: this.parts?.shown };
    this.draft = new DraftState(this.told, info.resumed);
    this.shown = info.text.length;
    this.replaced = false;
    this.isResumed = info.resumed;
    this.isUntold = info.resumed;
    this.checkpointed = info.text;
    this.checkpointedParts = this.parts?.list;
    this.#begunBytes = this.bytes + this.partsBytes;
    this.lease = new StreamLease(now);
  }

  get state(): ReplyState {
    return this.#state;
  }

  /** Applies an event of the reply's life; the table of states says which events are ignored in which state. */
  apply(event: ReplyEvent): void {
    this.#state = nextReplyState(this.#state, event) ?? this.#state;
  }

  get takesText(): boolean {
    return takesText(this.#state);
  }

  /** True while the text is published and stored as it grows, so not while an end is being stored. */
  get isLive(): boolean {
    return canEnd(this.#state);
  }

  /** True when the reply has ended or was deleted: its events that still wait for a number are dropped (DEL-5). */
  get isDropped(): boolean {
    return isOver(this.#state);
  }

  /** True if the reply's bot or channel was removed: no text is accepted, and the reply must end. */
  get isRevoked(): boolean {
    return isRevoked(this.#state);
  }

  /** The size of the parts in JSON. */
  get partsBytes(): number {
    return this.parts?.bytes ?? 0;
  }

  get hasUnshownText(): boolean {
    return this.shown !== this.text.length || this.replaced;
  }

  get hasUnshown(): boolean {
    return this.hasUnshownText || this.parts?.hasUnshown === true;
  }

  /** What the reported usage costs (PRICE-2). */
  get price(): Price | undefined {
    return this.usage && this.rate ? priceOf(this.rate, this.usage) : undefined;
  }

  /** Tokens that the request has used, estimated from the length of its texts if the provider reports none (KEY-15). */
  get estimatedTokens(): number {
    if (this.askedBytes === 0) return 0;
    return Math.ceil((this.askedBytes + this.bytes + this.partsBytes - this.#begunBytes) / BYTES_PER_TOKEN);
  }

  /** The revision of the current text and parts, including what is not published yet. */
  get currentRevision(): number {
    const { parts } = this;
    const isSnapshotDue = this.isResumed && this.hasUnshown;
    return this.revision + (this.hasUnshownText || isSnapshotDue ? 1 : 0) + (parts?.unshownCount ?? 0);
  }
}
