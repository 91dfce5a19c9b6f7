import type { Clock } from '../core/clock.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { chatScope, eventClass, timelineOf } from '../core/event-kinds.ts';
import { appendPatch, endOf, replacePatch } from '../rules/draft-patch.ts';
import type { OpenText } from '../rendering/messages.ts';
import type { LiveStream } from './live-stream.ts';
import type { PendingSnapshot, PendingSnapshots } from './pending-snapshots.ts';

const PREVIEW_CHARACTERS = 120;

interface DraftViewsNeeds {
  clock: Clock;
  publish: (event: TransientEvent) => void;
  /** The wire Message of an open reply with this text, as JSON. */
  render: (messageKey: number, open: OpenText) => Promise<string>;
  /** True when a live socket in the chat receives this class of events. */
  listens: (chatKey: number, wanted: number) => boolean;
}

/**
 * What every event of an open reply carries: where it belongs, and `isVoid`, which drops it if the reply ends or is
 * deleted while the event waits for its number (DEL-5).
 */
export const ofReply = (stream: LiveStream) => ({
  scope: chatScope(stream.info.chatKey),
  timeline: timelineOf(stream.info),
  draft: stream.info.messageKey,
  isVoid: (): boolean => stream.isDropped,
});

/** Patches and activity of open replies: made only while a socket receives them, each at its own pace. */
export class DraftViews {
  readonly #needs: DraftViewsNeeds;
  readonly #snapshots: PendingSnapshots;
  readonly #again: (stream: LiveStream) => void;

  /** `again` schedules another `tick` for this reply. */
  constructor(needs: DraftViewsNeeds, snapshots: PendingSnapshots, again: (stream: LiveStream) => void) {
    this.#needs = needs;
    this.#snapshots = snapshots;
    this.#again = again;
  }

  /** Called when a reply begins: sockets that do not focus its timeline get its activity immediately. */
  opened(stream: LiveStream): void {
    this.beforePublication(stream, stream.draft.published);
    this.#activity(stream);
  }

  /**
   * Called before a revision is published. Returns the event classes that no live socket receives. No event of these
   * classes is published for the revision: in the log, the revision's own event counts in their place, so that a
   * reconnecting client sees that it missed something (LOG-17).
   */
  beforePublication({ draft, info }: LiveStream, open: OpenText): number {
    let unheard = 0;
    if (!this.#needs.listens(info.chatKey, eventClass.patch)) {
      unheard |= eventClass.patch;
      draft.stopPatches();
    }
    if (!this.#needs.listens(info.chatKey, eventClass.activity)) {
      unheard |= eventClass.activity;
      draft.skipActivity(open.revision);
    }
    return unheard;
  }

  /** Called after a revision is published. Returns true while a patch or activity still waits for its time. */
  afterPublication(stream: LiveStream, open: OpenText, isReplaced: boolean): boolean {
    stream.draft.textPublished(open, isReplaced);
    return this.tick(stream);
  }

  /** Publishes the patch and activity that are due. Returns true while one still waits. */
  tick(stream: LiveStream): boolean {
    const waits = [this.#patch(stream), this.#activity(stream)];
    return waits.includes(true);
  }

  #patch(stream: LiveStream): boolean {
    const { draft, info } = stream;
    const { published, patched } = draft;
    if (!stream.isLive || patched?.revision === published.revision) return false;
    if (!patched && !this.#needs.listens(info.chatKey, eventClass.patch)) return false;
    if (draft.isPatchHeld(this.#needs.clock.monotonic())) return true;
    if (!patched) {
      void this.#whole(stream, published);
      return true;
    }
    const isReplaced = draft.takeReplaced();
    const { ops, end } = isReplaced
      ? { ops: replacePatch(patched.text, published.text), end: endOf(published.text) }
      : appendPatch(patched.end, published.text.slice(patched.text.length));
    const params = JSON.stringify({ id: info.messageId, base_rev: patched.revision, rev: published.revision, ops });
    // A patch that replaces most lines is larger than the text itself: send the whole text instead.
    if (isReplaced && params.length > published.text.length + SNAPSHOT_OVERHEAD) {
      void this.#whole(stream, published);
      return true;
    }
    draft.patchTo(published, end);
    this.#publishPatch(stream, 'draftPatch', params, published);
    return false;
  }

  async #whole(stream: LiveStream, open: OpenText): Promise<void> {
    const { draft } = stream;
    let isPublished = false;
    draft.beginSnapshot();
    const snapshot = this.#snapshots.begin(stream.info);
    try {
      const params = await this.#needs.render(stream.info.messageKey, open);
      // Publish nothing more while the end of the reply is being stored, nor parts that were taken back. The next tick
      // renders the reply anew.
      if (!stream.isLive || draft.isTakenBack) return;
      draft.patchTo(open, endOf(open.text));
      this.#publishPatch(stream, 'patchSnapshot', params, open, snapshot);
      isPublished = true;
    } catch {
      // The next tick tries again.
    } finally {
      draft.endSnapshot(isPublished);
      if (!isPublished) this.#snapshots.end(snapshot);
    }
  }

  #publishPatch(
    stream: LiveStream,
    kind: 'draftPatch' | 'patchSnapshot',
    params: string,
    open: OpenText,
    snapshot?: PendingSnapshot,
  ): void {
    const { draft } = stream;
    draft.patchPublished(Buffer.byteLength(params), this.#needs.clock.monotonic());
    const onSeq = (seq: number): void => {
      draft.patchNumbered(open, seq);
      if (!snapshot || !this.#snapshots.end(snapshot)) return;
      draft.endPatches();
      this.#again(stream);
    };
    this.#needs.publish({ ...ofReply(stream), kind, params, onSeq });
  }

  #activity(stream: LiveStream): boolean {
    const { draft } = stream;
    if (!stream.isLive || !draft.isActivityDue) return false;
    const now = this.#needs.clock.monotonic();
    if (draft.isActivityHeld(now)) return true;
    draft.beginActivity(now);
    void this.#publishActivity(stream, draft.published);
    return false;
  }

  async #publishActivity(stream: LiveStream, open: OpenText): Promise<void> {
    const { draft } = stream;
    const params = await this.activityParams(stream.info.messageKey, open).catch(() => undefined);
    // Skip this activity if newer activity or the reply's end has overtaken it, or if its rows could not be read.
    if (params === undefined || !stream.isLive || !draft.isNewestActivity(open.revision)) return;
    const onSeq = (seq: number): void => draft.activityNumbered(seq);
    this.#needs.publish({ ...ofReply(stream), kind: 'draftActivity', params, onSeq });
  }

  /** Params of `draftActivity` for this text: the reply without its content, but with a short preview. */
  async activityParams(messageKey: number, open: OpenText): Promise<string> {
    const message: Record<string, unknown> = JSON.parse(await this.#needs.render(messageKey, open));
    const { id, conversation_id, channel_id, thread_root_id, sender, created_at } = message;
    const content_revision = open.revision;
    // A character has at most two UTF-16 units, so a slice of twice the length holds enough whole characters.
    const preview = Array.from(open.text.slice(-2 * PREVIEW_CHARACTERS))
      .slice(-PREVIEW_CHARACTERS)
      .join('');
    const draft = { id, conversation_id, channel_id, thread_root_id, sender, created_at, content_revision, preview };
    return JSON.stringify(draft);
  }
}

/** Approximate size of a Message without its text. */
const SNAPSHOT_OVERHEAD = 700;
