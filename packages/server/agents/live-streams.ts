import { type Actor, fits, isGrowth, limits, type Part, type PartChange } from '@parley/protocol';
import type { Clock, Timer } from '../core/clock.ts';
import type { OpenStream } from '../commits/effects.ts';
import { conflict, ServiceError } from '../core/errors.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { OpenText } from '../store/messages.ts';
import type { Checkpoints } from './checkpoints.ts';
import { DraftViews, ofReply } from './draft-views.ts';
import { LiveStream } from './live-stream.ts';
import { OpenParts } from './open-parts.ts';
import type { PendingSnapshot, PendingSnapshots } from './pending-snapshots.ts';

/** How long further text of a reply is gathered after a delta is published (STREAM-6). */
const COALESCE_MS = 40;
/** Minimum time between two snapshots that replace outdated ones of a reply; the first is immediate (STREAM-20). */
const REMAKE_MS = 500;
export interface StreamRooms {
  /** Also notified of published events, to detect snapshots that were rendered without them. */
  snapshots: PendingSnapshots;
  clock: Clock;
  checkpoints: Checkpoints;
  publish: (event: TransientEvent) => void;
  /** The wire Message of an open reply with this text, as JSON. */
  render: (messageKey: number, open: OpenText) => Promise<string>;
  /** True in a cluster: other nodes publish these replies too. */
  isShared: boolean;
  /** When each live socket of an agent was opened, on any node. */
  socketsOf: (agentKey: number) => readonly number[];
  /** True when a live socket in the chat receives this class of events. */
  listens: (chatKey: number, wanted: number) => boolean;
}

/** All open replies of this process. */
export class LiveStreams {
  readonly #ports: StreamRooms;
  readonly #views: DraftViews;
  readonly checkpoints: Checkpoints;
  readonly snapshots: PendingSnapshots;
  readonly #byKey = new Map<number, LiveStream>();
  readonly #byId = new Map<string, LiveStream>();
  /** Streams that published something within the last COALESCE_MS: their next text waits for the timer. */
  readonly #cooling = new Set<LiveStream>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(ports: StreamRooms) {
    this.#ports = ports;
    this.checkpoints = ports.checkpoints;
    this.snapshots = ports.snapshots;
    this.#views = new DraftViews(ports, this.snapshots, (stream) => this.#cool(stream));
  }

  get size(): number {
    return this.#byKey.size;
  }

  all(): Iterable<LiveStream> {
    return this.#byKey.values();
  }

  get(messageKey: number): LiveStream | undefined {
    return this.#byKey.get(messageKey);
  }

  find(messageId: string): LiveStream | undefined {
    return this.#byId.get(messageId);
  }

  open(info: OpenStream): LiveStream {
    const known = this.#byKey.get(info.messageKey);
    if (known) return known;
    const stream = new LiveStream(info, this.#ports.clock.monotonic());
    this.#byKey.set(info.messageKey, stream);
    this.#byId.set(info.messageId, stream);
    this.#views.opened(stream);
    // Readers on other nodes do not call `textOf` here, so publish the stored text now. The server's own turns do not
    // need this: recovery ends those that have added text and repeats the others (TURN-3, TURN-4).
    if (this.#ports.isShared && info.runner === 'daemon') this.#tellRest(stream);
    return stream;
  }

  drop(messageKey: number): LiveStream | undefined {
    const stream = this.#byKey.get(messageKey);
    if (!stream) return undefined;
    stream.apply('drop');
    this.#byKey.delete(messageKey);
    this.#byId.delete(stream.info.messageId);
    this.#cooling.delete(stream);
    this.snapshots.drop(stream.info.messageId);
    return stream;
  }

  /** Updates the name of an agent in its open replies. */
  rename(agentKey: number, agent: Actor): void {
    for (const { info } of this.#byKey.values()) if (info.agentKey === agentKey) info.agent = agent;
  }

  /** Renews the leases of a bot's streams after an HTTP call that concerns none of them (STREAM-7). */
  botCalled(agentKey: number): void {
    if (this.#byKey.size === 0) return;
    const now = this.#ports.clock.monotonic();
    const openSockets = this.#ports.socketsOf(agentKey);
    for (const { info, lease } of this.#byKey.values())
      if (info.agentKey === agentKey) lease.botCalled(now, openSockets);
  }

  /** Records a call about the stream; `socketOpenedAt` is null for a call over HTTP. */
  called(stream: LiveStream, socketOpenedAt: number | null): void {
    stream.lease.called(this.#ports.clock.monotonic(), socketOpenedAt);
  }

  /** True when the daemon that writes the stream has been silent for too long (STREAM-7). */
  isLapsed(stream: LiveStream): boolean {
    return stream.lease.isOver(this.#ports.clock.monotonic(), this.socketsOf(stream));
  }

  /** When each live socket of the stream's bot was opened, on any node. */
  socketsOf({ info }: LiveStream): readonly number[] {
    return this.#ports.socketsOf(info.agentKey);
  }

  /**
   * Appends text of one of the server's own turns. Returns false, and appends nothing, if the stream takes no text or
   * the text would exceed the size limit.
   */
  append(stream: LiveStream, delta: string): boolean {
    if (!stream.takesText || delta === '') return stream.takesText;
    const size = Buffer.byteLength(delta);
    if (stream.bytes + size > limits.agentTextBytes) return false;
    this.#extend(stream, delta, size);
    return true;
  }

  /** Appends text of a daemon. `offset` is the length of the whole text in bytes after the append (STREAM-4). */
  appendAt(stream: LiveStream, delta: string, offset: number): void {
    this.#assertOpen(stream);
    const size = Buffer.byteLength(delta);
    const start = offset - size;
    if (start === stream.bytes) {
      if (offset > limits.agentTextBytes) throw tooLong();
      this.#extend(stream, delta, size);
      return;
    }
    // Bytes that the text already has at this place are a retry, which changes nothing.
    if (
      start >= 0 &&
      offset <= stream.bytes &&
      Buffer.from(stream.text).subarray(start, offset).equals(Buffer.from(delta))
    )
      return;
    throw conflict('the offset does not fit the text so far', { offset: stream.bytes });
  }

  replace(stream: LiveStream, text: string): void {
    this.#assertOpen(stream);
    if (!fits(text, limits.agentTextBytes)) throw tooLong();
    if (text === stream.text) return;
    stream.text = text;
    stream.bytes = Buffer.byteLength(text);
    stream.replaced = true;
    stream.shown = text.length;
    this.#changed(stream);
  }

  /** Writes a part: a whole one, or more text of a reasoning part. Throws if it does not fit (PART-8, PART-9). */
  putPart(stream: LiveStream, change: PartChange, freeBytes = 0): void {
    this.#assertOpen(stream);
    const parts = stream.parts ?? new OpenParts([]);
    if (isGrowth(change)) parts.grow(change, stream.bytes, freeBytes);
    else parts.put(change, freeBytes);
    stream.parts = parts;
    if (parts.hasUnshown) this.#changed(stream);
  }

  /** The part of this id, if the reply has one. */
  partOf(stream: LiveStream, id: string): Part | undefined {
    return stream.parts?.get(id);
  }

  /** Removes the parts that the turn has written, because its request is repeated. */
  clearParts(stream: LiveStream): void {
    if (!stream.parts || stream.parts.list.length === 0 || !stream.takesText) return;
    stream.parts.clear();
    // Only a snapshot can remove parts.
    stream.draft.latest = { ...stream.draft.latest, parts: stream.parts.shown };
    stream.draft.patch = null;
    stream.draft.isTakenBack = true;
    stream.replaced = true;
    this.#changed(stream);
  }

  /**
   * The text for a reader that loads it now. It ends where a delta ends, so that the reader's next delta either
   * continues it or is already contained in it (STREAM-3).
   */
  textOf(stream: LiveStream): OpenText {
    this.show(stream);
    this.#tellRest(stream);
    // A replaced text that is not published yet has no revision of its own, and may change before it gets one.
    if (stream.replaced) return stream.told;
    return { text: stream.text.slice(0, stream.shown), revision: stream.revision, parts: stream.parts?.shown };
  }

  /**
   * Publishes the whole stored text after a restart, because clients may have more text than was stored (STREAM-14).
   */
  #tellRest(stream: LiveStream): void {
    if (!stream.isUntold || stream.isRendering || !stream.isLive) return;
    if (stream.revision + 1 >= stream.revisionReserved) return;
    stream.revision += 1;
    void this.#showWhole(stream);
  }

  /** Publishes what was gathered: text as a delta, or as a snapshot if it was replaced, then the parts. */
  show(stream: LiveStream): void {
    // While the end of a reply is being stored it has the next revision.
    if (!stream.hasUnshown || stream.isRendering || !stream.isLive) return;
    if (stream.hasUnshownText || stream.isResumed) this.#showText(stream);
    // Parts follow a snapshot that contains them in their former state.
    if (stream.parts?.hasUnshown && !stream.isRendering) this.#showParts(stream, stream.parts);
  }

  /**
   * Takes the next revision. After a crash, revisions above the reserved ones could be used twice, so without one the
   * reply waits for the next checkpoint.
   */
  #hasRevision(stream: LiveStream): boolean {
    if (stream.revision + 1 >= stream.revisionReserved) {
      void this.checkpoints.storeIfDue(stream);
      return false;
    }
    stream.revision += 1;
    return true;
  }

  #showText(stream: LiveStream): void {
    const { messageId } = stream.info;
    if (!this.#hasRevision(stream)) return;
    const delta = stream.text.slice(stream.shown);
    stream.shown = stream.text.length;
    if (stream.isResumed) stream.draft.patch = null;
    if (stream.replaced || stream.isResumed) {
      // Publishing the same reply again is no change: the first change is still to come, and published whole (STREAM-14).
      if (delta !== '' || stream.parts?.hasUnshown) stream.isResumed = false;
      return void this.#showWhole(stream);
    }
    const params = { id: messageId, delta, offset: stream.bytes, content_revision: stream.revision };
    const told = { text: stream.text, revision: stream.revision, parts: stream.parts?.shown };
    this.#publish(stream, told, 'messageDelta', JSON.stringify(params));
  }

  /** Publishes each changed part (PART-5). */
  #showParts(stream: LiveStream, parts: OpenParts): void {
    // A snapshot for sockets with the cap `patch` contains the parts as they are now.
    if (stream.draft.isRendering) return;
    const { messageId: id, chatId: conversation_id } = stream.info;
    while (parts.hasUnshown && this.#hasRevision(stream)) {
      const part = parts.next();
      if (!part) return;
      const { revision } = stream;
      const { shown } = parts;
      const newest = { parts: shown, partsRevision: revision };
      stream.draft.latest = { ...stream.draft.latest, ...newest };
      const onSeq = (seq: number): void => {
        stream.partSeq = seq;
        stream.told = { ...stream.told, revision, parts: shown };
        if (stream.draft.told) stream.draft.told = { ...stream.draft.told, ...newest };
      };
      // Text that is added to a part is as short as a delta of the content.
      const params = JSON.stringify({
        id,
        part,
        content_revision: revision,
        ...(!('append' in part) && { conversation_id }),
      });
      this.#ports.publish({ ...ofReply(stream), kind: 'messagePart', params, onSeq });
    }
  }

  /** Publishes a snapshot: the whole Message as rendered from its rows. Deltas wait until it is published. */
  async #showWhole(stream: LiveStream): Promise<void> {
    stream.replaced = false;
    stream.isUntold = false;
    stream.isRendering = true;
    const snapshot = this.snapshots.begin(stream.info);
    try {
      const open = { text: stream.text, revision: stream.revision, parts: stream.parts?.shown };
      const params = await this.#ports.render(stream.info.messageKey, open);
      // Publish nothing while the end of the reply is being stored: messageComplete contains everything.
      if (!stream.isLive) stream.replaced = true;
      else return this.#publish(stream, open, 'streamSnapshot', params, snapshot);
    } catch {
      // The store has logged the failed read; the next tick tries again.
      stream.replaced = true;
      this.#cool(stream);
    } finally {
      stream.isRendering = false;
    }
    this.snapshots.end(snapshot);
    return undefined;
  }

  #publish(
    stream: LiveStream,
    told: OpenText,
    kind: 'messageDelta' | 'streamSnapshot',
    params: string,
    snapshot?: PendingSnapshot,
  ): void {
    const { info, draft } = stream;
    const standsFor = this.#views.showing(stream, told);
    const onSeq = (seq: number): void => {
      stream.lastSeq = seq;
      stream.told = told;
      if (standsFor & eventClass.activity) draft.activitySeq = seq;
      if (snapshot && this.snapshots.end(snapshot)) {
        stream.remakeAt = Math.max(this.#ports.clock.monotonic(), stream.remadeAt + REMAKE_MS);
        this.#cool(stream);
      }
      // A socket that began to receive patches while the event waited for its number needs the whole text.
      if (!draft.patch && this.#ports.listens(info.chatKey, eventClass.patch)) this.#cool(stream);
    };
    this.#ports.publish({ ...ofReply(stream), kind, params, standsFor, onSeq });
    if (this.#views.shown(stream, told, kind === 'streamSnapshot')) this.#cool(stream);
  }

  #extend(stream: LiveStream, delta: string, size: number): void {
    if (size === 0) return;
    stream.text += delta;
    stream.bytes += size;
    this.#changed(stream);
  }

  #changed(stream: LiveStream): void {
    if (!this.#cooling.has(stream)) {
      this.show(stream);
      this.#cool(stream);
    }
    void this.checkpoints.storeIfDue(stream);
  }

  #cool(stream: LiveStream): void {
    if (this.#isClosed || !stream.isLive) return;
    this.#cooling.add(stream);
    this.#timer ??= this.#ports.clock.setTimer(() => this.#tick(), COALESCE_MS);
  }

  #tick(): void {
    this.#timer = null;
    const now = this.#ports.clock.monotonic();
    for (const stream of this.#cooling) {
      if (now >= stream.remakeAt) {
        stream.remakeAt = Infinity;
        stream.remadeAt = now;
        stream.replaced = true;
      }
      const isShown = !stream.hasUnshown;
      if (!isShown) this.show(stream);
      if (!this.#views.tick(stream) && isShown && stream.remakeAt === Infinity) this.#cooling.delete(stream);
      void this.checkpoints.storeIfDue(stream);
    }
    if (this.#cooling.size > 0) this.#timer ??= this.#ports.clock.setTimer(() => this.#tick(), COALESCE_MS);
  }

  /** Params of `draftActivity` for a published text of a reply. */
  activityOf(messageKey: number, published: OpenText): Promise<string> {
    return this.#views.activityParams(messageKey, published);
  }

  /** Publishes the whole text of every open reply, for nodes and sockets that may have missed a part of it. */
  tellAnew(): void {
    for (const stream of this.#byKey.values()) {
      if (!stream.isLive) continue;
      stream.replaced = true;
      this.#changed(stream);
    }
  }

  /** Stops publishing. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = null;
    this.#cooling.clear();
  }

  #assertOpen(stream: LiveStream): void {
    if (!stream.takesText) throw conflict('the stream is closed');
  }
}

const tooLong = () =>
  new ServiceError('too_large', `text is longer than ${limits.agentTextBytes} bytes`, { field: 'text' });
