// replies/: open replies: their text and parts in memory, the usage that is reported for them, what is published and
// stored of them, their replicas on other nodes. Imports messages and below; turns, providers and the rows of usage are
// in agents.
import { type Actor, fits, isGrowth, limits, type Part, type PartChange } from '@parley/protocol';
import type { OpenStream } from '../commits/effects.ts';
import { conflict, ServiceError } from '../core/errors.ts';
import {
  canEnd,
  isOver,
  isRevoked,
  nextReplyState,
  type ReplyEvent,
  type ReplyState,
  takesText,
} from '../rules/reply-states.ts';
import type { OpenText } from '../rendering/messages.ts';
import { StoredState } from './checkpoints.ts';
import { DraftState } from './draft-state.ts';
import { OpenParts } from './open-parts.ts';
import { NumberedReply } from './numbered-reply.ts';
import type { Numbered, ReplyView } from './reply-view.ts';
import { RequestUsage } from './request-usage.ts';
import { StreamLease } from './stream-lease.ts';

/** Minimum time between two snapshots that replace outdated ones of a reply; the first is immediate (STREAM-20). */
const REFRESH_MS = 500;

/**
 * The reply of an agent while it streams: the text belongs to the server, not to a connection (STREAM-1).
 *
 * What is written is pending until it is published, that is, given to the log. In the log it may wait for its number;
 * clients have what is numbered.
 */
export class LiveStream implements ReplyView {
  readonly info: OpenStream;
  readonly draft: DraftState;
  readonly stored: StoredState;
  readonly request = new RequestUsage();
  readonly lease: StreamLease;
  /** What clients have of the text and parts. */
  readonly #numbered: NumberedReply;
  readonly #onChange: (stream: LiveStream) => void;
  #state: ReplyState = 'open';
  #cancelRequested: boolean;
  #pendingEnd: Promise<void> | null = null;
  #text: string;
  #bytes: number;
  /** Null while the reply has no parts. */
  #parts: OpenParts | null;
  /** Bytes of text and parts that the turn began with: another request has written and booked them. */
  readonly #begunBytes: number;
  #revision: number;
  /** Length of the published text, in UTF-16 units. */
  #publishedLength: number;
  /** True if clients may have other text than the beginning of this one: the next publication is a snapshot. */
  #isReplaced = false;
  /** True until the first change after a restart is published; that change is sent as the whole text (STREAM-14). */
  #isResumed: boolean;
  /** True after a restart until the stored text is published whole, because clients may have more than was stored. */
  #isRestored: boolean;
  #isRendering = false;
  /** When to publish the whole text again after an outdated snapshot; `#refreshedAt`: when that last happened. */
  #refreshAt = Infinity;
  #refreshedAt = -Infinity;

  /** `onChange` is called after each change of the text or the parts. */
  constructor(info: OpenStream, now: number, onChange: (stream: LiveStream) => void) {
    this.info = info;
    this.#onChange = onChange;
    this.#cancelRequested = info.cancelRequested;
    this.#text = info.text;
    this.#bytes = Buffer.byteLength(info.text);
    this.#parts = info.parts.length === 0 ? null : new OpenParts(info.parts);
    this.#begunBytes = this.size;
    this.#revision = info.revision;
    this.#publishedLength = info.text.length;
    this.#isResumed = info.resumed;
    this.#isRestored = info.resumed;
    this.#numbered = new NumberedReply(this.whole);
    this.draft = new DraftState(this.whole, info.resumed);
    this.stored = new StoredState(info.text, this.parts, info.revisionReserved);
    this.lease = new StreamLease(now);
  }

  // Its life

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

  get cancelRequested(): boolean {
    return this.#cancelRequested;
  }

  requestCancel(): void {
    this.#cancelRequested = true;
  }

  /** Resolves when the end that the daemon has requested is stored or has failed; null if none is pending. */
  get pendingEnd(): Promise<void> | null {
    return this.#pendingEnd;
  }

  /** The daemon requests an end. The caller calls the returned function when it is stored or has failed. */
  beginEnd(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pendingEnd = promise;
    return () => {
      this.#pendingEnd = null;
      resolve();
    };
  }

  rename(agent: Actor): void {
    this.info.agent = agent;
  }

  // Its text and parts

  get text(): string {
    return this.#text;
  }

  /** The length of the text in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined while the reply has had no parts. */
  get parts(): readonly Part[] | undefined {
    return this.#parts?.list;
  }

  /** The bytes of the text and of the parts as JSON. */
  get size(): number {
    return this.#bytes + (this.#parts?.bytes ?? 0);
  }

  /** Tokens that the request has used, estimated from the length of its texts if the provider reports none (KEY-15). */
  get estimatedTokens(): number {
    return this.request.estimate(this.size - this.#begunBytes);
  }

  /** The part of this id, if the reply has one. */
  partOf(id: string): Part | undefined {
    return this.#parts?.get(id);
  }

  /** Returns false, and appends nothing, if the reply takes no text or it would exceed the size limit. */
  append(delta: string): boolean {
    const size = Buffer.byteLength(delta);
    if (!this.takesText || this.#bytes + size > limits.agentTextBytes) return false;
    this.#extend(delta, size);
    return true;
  }

  /**
   * Appends text of a daemon. `offset` is the length of the whole text in bytes after the append (STREAM-4). Throws if
   * it neither continues the text nor repeats a part of it.
   */
  appendAt(delta: string, offset: number): void {
    this.#assertOpen();
    const size = Buffer.byteLength(delta);
    const start = offset - size;
    if (start === this.#bytes) {
      if (offset > limits.agentTextBytes) throw tooLong();
      return this.#extend(delta, size);
    }
    // Bytes that the text already has at this place are a retry, which changes nothing.
    if (
      start >= 0 &&
      offset <= this.#bytes &&
      Buffer.from(this.#text).subarray(start, offset).equals(Buffer.from(delta))
    )
      return undefined;
    throw conflict('the offset does not fit the text so far', { offset: this.#bytes });
  }

  replace(text: string): void {
    this.#assertOpen();
    if (!fits(text, limits.agentTextBytes)) throw tooLong();
    if (text === this.#text) return;
    this.#text = text;
    this.#bytes = Buffer.byteLength(text);
    this.#isReplaced = true;
    this.#publishedLength = text.length;
    this.#onChange(this);
  }

  /**
   * Writes a part: a whole one, or more text of a reasoning part. Throws if it does not fit (PART-8, PART-9), or would
   * leave less room than `freeBytes` for one more part.
   */
  putPart(change: PartChange, freeBytes = 0): void {
    this.#assertOpen();
    const parts = this.#parts ?? new OpenParts([]);
    if (isGrowth(change)) parts.grow(change, this.#bytes, freeBytes);
    else parts.put(change, freeBytes);
    this.#parts = parts;
    if (this.hasPendingParts) this.#onChange(this);
  }

  /** The parts so far stay if the turn's next request is repeated. */
  keepParts(): void {
    this.#parts?.keep();
  }

  /** Removes the parts that the request has written. */
  clearParts(): void {
    if (!this.#parts || this.#parts.list.length === 0 || !this.takesText) return;
    this.#parts.clear();
    // Only a snapshot can remove parts.
    this.draft.partsTakenBack(this.#parts.published);
    this.#isReplaced = true;
    this.#onChange(this);
  }

  #extend(delta: string, size: number): void {
    this.#text += delta;
    this.#bytes += size;
    if (size > 0) this.#onChange(this);
  }

  #assertOpen(): void {
    if (!this.takesText) throw conflict('the stream is closed');
  }

  // What is published of it

  /** The revision of the current text and parts, including what is pending. */
  get currentRevision(): number {
    const isSnapshotDue = this.#isResumed && this.hasPending;
    return this.#revision + (this.#hasPendingText || isSnapshotDue ? 1 : 0) + (this.#parts?.pendingCount ?? 0);
  }

  /** The newest published revision. Pending text gets the next one, see `currentRevision`. */
  get revision(): number {
    return this.#revision;
  }

  get hasPending(): boolean {
    return this.#hasPendingText || this.hasPendingParts;
  }

  get hasPendingParts(): boolean {
    return this.#parts?.hasPending === true;
  }

  get #hasPendingText(): boolean {
    return this.#publishedLength !== this.#text.length || this.#isReplaced;
  }

  /** Whether the next publication is one of the text, as a delta or as a snapshot, and not one of parts alone. */
  get isTextDue(): boolean {
    return this.#hasPendingText || this.#isResumed;
  }

  /** Whether the next publication of the text is a snapshot. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** True while a snapshot is being rendered. */
  get isRendering(): boolean {
    return this.#isRendering;
  }

  /** The newest published revision with the whole text, for when no text is pending. */
  get whole(): OpenText {
    return { text: this.#text, revision: this.#revision, parts: this.#parts?.published };
  }

  /**
   * The text for a reader that loads it now. It ends where a delta ends, so that the reader's next delta either
   * continues it or is already contained in it (STREAM-3).
   */
  get published(): OpenText {
    // A replaced text that is not published yet has no revision of its own, and may change before it gets one.
    if (this.#isReplaced) return this.#numbered.open;
    const text = this.#text.slice(0, this.#publishedLength);
    return { text, revision: this.#revision, parts: this.#parts?.published };
  }

  /**
   * Takes the next revision. After a crash, revisions above the reserved ones could be used twice, so this returns false
   * if none is left.
   */
  takeRevision(): boolean {
    if (this.#revision + 1 >= this.stored.revisionReserved) return false;
    this.#revision += 1;
    return true;
  }

  /** Takes a revision for the whole stored text if that is still to be published after a restart, and can be now. */
  takeRestored(): boolean {
    return this.#isRestored && !this.#isRendering && this.isLive && this.takeRevision();
  }

  /** The pending text: with it all text is published. Null if this takes a snapshot instead. */
  takeDelta(): string | null {
    const delta = this.#text.slice(this.#publishedLength);
    this.#publishedLength = this.#text.length;
    if (!this.#isResumed) return this.#isReplaced ? null : delta;
    this.draft.endPatches();
    // Publishing the same reply again is no change: the first change is still to come, and published whole (STREAM-14).
    if (delta !== '' || this.hasPendingParts) this.#isResumed = false;
    return null;
  }

  /** Takes the next pending change of a part: it counts as published. */
  takePart(): PartChange | undefined {
    return this.#parts?.takePending();
  }

  /** A snapshot is rendered from the returned text. Deltas wait until it is published, or has failed. */
  beginSnapshot(): OpenText {
    this.#isReplaced = false;
    this.#isRestored = false;
    this.#isRendering = true;
    return this.whole;
  }

  endSnapshot(isPublished: boolean): void {
    this.#isRendering = false;
    if (!isPublished) this.#isReplaced = true;
  }

  /** Clients may lack a part of the text, so it is published whole. */
  requireSnapshot(): void {
    this.#isReplaced = true;
  }

  /** The snapshot that was just published is outdated: another one follows, at a bounded rate (STREAM-20). */
  scheduleRefresh(now: number): void {
    this.#refreshAt = Math.max(now, this.#refreshedAt + REFRESH_MS);
  }

  get isRefreshScheduled(): boolean {
    return this.#refreshAt !== Infinity;
  }

  /** Requires the scheduled snapshot if its time has come. */
  refreshIfDue(now: number): void {
    if (now < this.#refreshAt) return;
    this.#refreshAt = Infinity;
    this.#refreshedAt = now;
    this.requireSnapshot();
  }

  // What clients have of it

  get numbered(): Numbered {
    return this.#numbered;
  }

  /** An event of the text has its number. */
  textNumbered(open: OpenText, seq: number): void {
    this.#numbered.text(open, seq);
  }

  partsNumbered(parts: readonly Part[] | undefined, revision: number, seq: number): void {
    this.#numbered.parts(parts, revision, seq);
    this.draft.partsNumbered(parts, revision);
  }
}

const tooLong = () =>
  new ServiceError('too_large', `text is longer than ${limits.agentTextBytes} bytes`, { field: 'text' });
