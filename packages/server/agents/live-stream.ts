import type { TokenUsage } from '@parley/protocol';
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
import type { OpenText } from '../store/messages.ts';
import { DraftState } from './draft-views.ts';
import { StreamLease } from './stream-lease.ts';

/** A usual ratio of the vendors' models for English text. */
const BYTES_PER_TOKEN = 4;

/** The reply of an agent while it is written: the text belongs to the server, not to a connection (STREAM-1). */
export class LiveStream {
  readonly info: OpenStream;
  text: string;
  bytes: number;
  /** Counts the revisions that were shown, and one for what is not shown yet. */
  revision: number;
  cancelRequested: boolean;
  /** Set while an end that its daemon asked for is being stored; resolves when that is done, or has failed. */
  end: Promise<void> | null = null;
  #state: ReplyState = 'open';
  /** Set while a snapshot is being made. */
  isRendering = false;
  /** The number of its newest event in the log, and the text that a client has with it. */
  lastSeq = 0;
  told: OpenText;
  /** Length in UTF-16 units of what was shown. */
  shown: number;
  replaced: boolean;
  /** When it is to be shown whole again, as its last snapshot lacked something; and when that was last done. */
  remakeAt = Infinity;
  remadeAt = -Infinity;
  /** Set until the first change after a restart has been shown, which goes out whole (STREAM-14). */
  isResumed: boolean;
  /** Set until somebody has read, or was shown, what a restart has left of the text. */
  isUntold: boolean;
  /** What sockets with the caps `patch` and `focus` have of it. */
  readonly draft: DraftState;
  /** What the request that writes it has told of its usage, and how much of that is written down. */
  usage: TokenUsage | null = null;
  checkpointedUsage: TokenUsage | null = null;
  /** Bytes that its provider was sent; 0 while no provider was asked. */
  askedBytes = 0;
  checkpointed: string;
  checkpointAt = 0;
  checkpointing = false;
  revisionReserved: number;
  readonly lease: StreamLease;

  constructor(info: OpenStream, now: number) {
    this.info = info;
    this.text = info.text;
    this.bytes = Buffer.byteLength(info.text);
    this.revision = info.revision;
    this.revisionReserved = info.revisionReserved;
    this.cancelRequested = info.cancelRequested;
    this.told = { text: info.text, revision: info.revision };
    this.draft = new DraftState(this.told, info.resumed);
    this.shown = info.text.length;
    this.replaced = false;
    this.isResumed = info.resumed;
    this.isUntold = info.resumed;
    this.checkpointed = info.text;
    this.lease = new StreamLease(now);
  }

  get state(): ReplyState {
    return this.#state;
  }

  /** Applies an event of its life; ignored where the table of states says so. */
  apply(event: ReplyEvent): void {
    this.#state = nextReplyState(this.#state, event) ?? this.#state;
  }

  get takesText(): boolean {
    return takesText(this.#state);
  }

  /** True while its text is published and stored as it grows: no end is being stored. */
  get isLive(): boolean {
    return canEnd(this.#state);
  }

  /** True when it has ended or was deleted: an event that still waits for its number reaches no reader (DEL-5). */
  get isDropped(): boolean {
    return isOver(this.#state);
  }

  /** True if its bot or its channel was taken away, so that it only has to end. */
  get isRevoked(): boolean {
    return isRevoked(this.#state);
  }

  get hasUnshown(): boolean {
    return this.shown !== this.text.length || this.replaced;
  }

  /** Tokens that its request has used, by the length of its texts: for one whose provider does not report that (KEY-15). */
  get estimatedTokens(): number {
    return this.askedBytes === 0 ? 0 : Math.ceil((this.askedBytes + this.bytes) / BYTES_PER_TOKEN);
  }

  /** The revision of the text as it is, shown or not. */
  get currentRevision(): number {
    return this.revision + (this.hasUnshown ? 1 : 0);
  }
}
