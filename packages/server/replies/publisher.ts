import type { Clock, Timer } from '../core/clock.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { TransientEvent } from '../log/event-log.ts';
import type { OpenText } from '../rendering/messages.ts';
import type { Checkpoints } from './checkpoints.ts';
import { DraftViews, ofReply } from './draft-views.ts';
import type { LiveStream } from './live-stream.ts';
import type { PendingSnapshot, PendingSnapshots } from './pending-snapshots.ts';

/** How long further text of a reply is gathered after a delta is published (STREAM-6). */
const COALESCE_MS = 40;

export interface PublisherNeeds {
  /** Also notified of published events, to detect snapshots that were rendered without them. */
  snapshots: PendingSnapshots;
  clock: Clock;
  checkpoints: Checkpoints;
  publish: (event: TransientEvent) => void;
  /** The wire Message of an open reply with this text, as JSON. */
  render: (messageKey: number, open: OpenText) => Promise<string>;
  /** True when a live socket in the chat receives this class of events. */
  listens: (chatKey: number, wanted: number) => boolean;
}

/** Publishes what is written into open replies: the first text at once, then what gathers in COALESCE_MS. */
export class ReplyPublisher {
  readonly #needs: PublisherNeeds;
  readonly #views: DraftViews;
  /** Streams that published something within the last COALESCE_MS: their next text waits for the timer. */
  readonly #gathering = new Set<LiveStream>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(needs: PublisherNeeds) {
    this.#needs = needs;
    this.#views = new DraftViews(needs, needs.snapshots, (stream) => this.#gather(stream));
  }

  opened(stream: LiveStream): void {
    this.#views.opened(stream);
  }

  /** Called after each change of the text or the parts. */
  changed(stream: LiveStream): void {
    if (!this.#gathering.has(stream)) {
      this.publishPending(stream);
      this.#gather(stream);
    }
    void this.#needs.checkpoints.storeIfDue(stream);
  }

  dropped(stream: LiveStream): void {
    this.#gathering.delete(stream);
  }

  /** Publishes what is pending: text as a delta, or as a snapshot if it was replaced, then the parts. */
  publishPending(stream: LiveStream): void {
    // While the end of a reply is being stored it has the next revision.
    if (!stream.hasPending || stream.isRendering || !stream.isLive) return;
    if (stream.isTextDue) this.#publishText(stream);
    // Parts follow a snapshot that contains them in their former state.
    if (stream.hasPendingParts && !stream.isRendering) this.#publishParts(stream);
  }

  /** Publishes the stored text whole if that is still to be done after a restart (STREAM-14). */
  publishRestored(stream: LiveStream): void {
    if (stream.takeRestored()) void this.#publishSnapshot(stream);
  }

  /** Params of `draftActivity` for a published text of a reply. */
  activityOf(messageKey: number, published: OpenText): Promise<string> {
    return this.#views.activityParams(messageKey, published);
  }

  /** Stops publishing. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = null;
    this.#gathering.clear();
  }

  /** Takes the next revision. Without one the reply waits for the next checkpoint, which reserves more. */
  #takeRevision(stream: LiveStream): boolean {
    if (stream.takeRevision()) return true;
    void this.#needs.checkpoints.storeIfDue(stream);
    return false;
  }

  #publishText(stream: LiveStream): void {
    if (!this.#takeRevision(stream)) return;
    const delta = stream.takeDelta();
    if (delta === null) return void this.#publishSnapshot(stream);
    const { info, bytes, revision } = stream;
    const params = { id: info.messageId, delta, offset: bytes, content_revision: revision };
    this.#publish(stream, stream.whole, 'messageDelta', JSON.stringify(params));
  }

  /** Publishes a snapshot: the whole Message as rendered from its rows. */
  async #publishSnapshot(stream: LiveStream): Promise<void> {
    const { snapshots, render } = this.#needs;
    let isPublished = false;
    const open = stream.beginSnapshot();
    const snapshot = snapshots.begin(stream.info);
    try {
      const params = await render(stream.info.messageKey, open);
      // Publish nothing while the end of the reply is being stored: messageComplete contains everything.
      if (!stream.isLive) return;
      this.#publish(stream, open, 'streamSnapshot', params, snapshot);
      isPublished = true;
    } catch {
      // The store has logged the failed read; the next tick tries again.
      this.#gather(stream);
    } finally {
      stream.endSnapshot(isPublished);
      if (!isPublished) snapshots.end(snapshot);
    }
  }

  #publish(
    stream: LiveStream,
    open: OpenText,
    kind: 'messageDelta' | 'streamSnapshot',
    params: string,
    snapshot?: PendingSnapshot,
  ): void {
    const { snapshots, clock, listens, publish } = this.#needs;
    const { info, draft } = stream;
    const standsFor = this.#views.beforePublication(stream, open);
    const onSeq = (seq: number): void => {
      stream.textNumbered(open, seq);
      if (standsFor & eventClass.activity) draft.activityNumbered(seq);
      if (snapshot && snapshots.end(snapshot)) {
        stream.scheduleRefresh(clock.monotonic());
        this.#gather(stream);
      }
      // A socket that began to receive patches while the event waited for its number needs the whole text.
      if (!draft.patched && listens(info.chatKey, eventClass.patch)) this.#gather(stream);
    };
    publish({ ...ofReply(stream), kind, params, standsFor, onSeq });
    if (this.#views.afterPublication(stream, open, kind === 'streamSnapshot')) this.#gather(stream);
  }

  /** Publishes each changed part (PART-5). */
  #publishParts(stream: LiveStream): void {
    // A snapshot for sockets with the cap `patch` contains the parts as they are now.
    if (stream.draft.isRendering) return;
    const { messageId: id, chatId: conversation_id } = stream.info;
    while (stream.hasPendingParts && this.#takeRevision(stream)) {
      const part = stream.takePart();
      if (!part) return;
      const { parts, revision } = stream.whole;
      stream.draft.partsPublished(parts, revision);
      const onSeq = (seq: number): void => stream.partsNumbered(parts, revision, seq);
      // Text that is added to a part is as short as a delta of the content.
      const params = JSON.stringify({
        id,
        part,
        content_revision: revision,
        ...(!('append' in part) && { conversation_id }),
      });
      this.#needs.publish({ ...ofReply(stream), kind: 'messagePart', params, onSeq });
    }
  }

  #gather(stream: LiveStream): void {
    if (this.#isClosed || !stream.isLive) return;
    this.#gathering.add(stream);
    this.#startTimer();
  }

  #startTimer(): void {
    this.#timer ??= this.#needs.clock.setTimer(() => this.#tick(), COALESCE_MS);
  }

  #tick(): void {
    this.#timer = null;
    const now = this.#needs.clock.monotonic();
    for (const stream of this.#gathering) {
      stream.refreshIfDue(now);
      const wasPending = stream.hasPending;
      if (wasPending) this.publishPending(stream);
      if (!this.#views.tick(stream) && !wasPending && !stream.isRefreshScheduled) this.#gathering.delete(stream);
      void this.#needs.checkpoints.storeIfDue(stream);
    }
    if (this.#gathering.size > 0) this.#startTimer();
  }
}
