import type { Clock } from '../core/clock.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { chatScope, eventClass, timelineOf } from '../core/event-kinds.ts';
import { appendPatch, endOf, replacePatch, type TextEnd } from '../rules/draft-patch.ts';
import type { OpenText } from '../store/messages.ts';
import type { LiveStream } from './live-stream.ts';
import type { PendingSnapshot, PendingSnapshots } from './pending-snapshots.ts';

/** Maximum rate of a reply's patches to a socket: each patch repeats its whole line, however long (CAPS-6). */
const PATCH_BYTES_PER_SECOND = 256 * 1024;
/** How far patches may run ahead of the rate before they wait; small ones never wait. */
const PATCH_BURST_MS = 40;
/** Minimum time between two `draftActivity` events of a reply (CAPS-8). */
const ACTIVITY_MS = 500;
const PREVIEW_CHARACTERS = 120;

interface Ports {
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

/** What sockets with the caps `patch` and `focus` have received of one open reply. */
export class DraftState {
  /** The text as last published. */
  latest: OpenText;
  /**
   * The text after the newest patch. Null while no socket receives patches: the next socket that does gets the whole
   * text.
   */
  patch: (OpenText & { readonly end: TextEnd }) | null;
  /** The text that sockets with the cap `patch` have after their newest frame, and that frame's number. */
  told: (OpenText & { readonly seq: number }) | null;
  /** The next patch waits until this time. */
  patchDueAt = 0;
  /** The text was replaced since the last patch. */
  isReplaced = false;
  isRendering = false;
  /** Parts were taken back since the snapshot that is being rendered was begun. */
  isTakenBack = false;
  activityRevision = 0;
  activityAt = -ACTIVITY_MS;
  activitySeq = 0;

  constructor(open: OpenText, isResumed: boolean) {
    this.latest = open;
    this.patch = isResumed ? null : { ...open, end: endOf(open.text) };
    this.told = isResumed ? null : { ...open, seq: 0 };
  }
}

/** Patches and activity of open replies: made only while a socket receives them, each at its own pace. */
export class DraftViews {
  readonly #ports: Ports;
  readonly #snapshots: PendingSnapshots;
  readonly #again: (stream: LiveStream) => void;

  /** `again` schedules another `tick` for this reply. */
  constructor(ports: Ports, snapshots: PendingSnapshots, again: (stream: LiveStream) => void) {
    this.#ports = ports;
    this.#snapshots = snapshots;
    this.#again = again;
  }

  /** Called when a reply begins: sockets that do not focus its timeline get its activity immediately. */
  opened(stream: LiveStream): void {
    this.showing(stream, stream.draft.latest);
    this.#activity(stream);
  }

  /**
   * Called before a revision is published. Returns the event classes that no live socket receives. No event of these
   * classes is published for the revision: in the log, the revision's own event counts in their place, so that a
   * reconnecting client sees that it missed something (LOG-17).
   */
  showing({ draft, info }: LiveStream, latest: OpenText): number {
    let unheard = 0;
    if (!this.#ports.listens(info.chatKey, eventClass.patch)) {
      unheard |= eventClass.patch;
      draft.patch = null;
      draft.told = null;
    }
    if (!this.#ports.listens(info.chatKey, eventClass.activity)) {
      unheard |= eventClass.activity;
      draft.activityRevision = latest.revision;
    }
    return unheard;
  }

  /** Called after a revision is published. Returns true while a patch or activity still waits for its time. */
  shown(stream: LiveStream, latest: OpenText, isReplaced: boolean): boolean {
    stream.draft.latest = latest;
    stream.draft.isReplaced ||= isReplaced;
    return this.tick(stream);
  }

  /** Sends the patch and activity that are due. Returns true while one still waits. */
  tick(stream: LiveStream): boolean {
    const waits = [this.#patch(stream), this.#activity(stream)];
    return waits.includes(true);
  }

  #patch(stream: LiveStream): boolean {
    const { draft, info } = stream;
    const { latest, patch } = draft;
    if (!stream.isLive || patch?.revision === latest.revision) return false;
    if (!patch && !this.#ports.listens(info.chatKey, eventClass.patch)) return false;
    const now = this.#ports.clock.monotonic();
    if (draft.isRendering || now < draft.patchDueAt - PATCH_BURST_MS) return true;
    if (!patch) {
      void this.#whole(stream, latest);
      return true;
    }
    const isReplaced = draft.isReplaced;
    draft.isReplaced = false;
    const { ops, end } = isReplaced
      ? { ops: replacePatch(patch.text, latest.text), end: endOf(latest.text) }
      : appendPatch(patch.end, latest.text.slice(patch.text.length));
    const params = JSON.stringify({ id: info.messageId, base_rev: patch.revision, rev: latest.revision, ops });
    // A patch that replaces most lines is larger than the text itself: send the whole text instead.
    if (isReplaced && params.length > latest.text.length + SNAPSHOT_OVERHEAD) {
      void this.#whole(stream, latest);
      return true;
    }
    draft.patch = { ...latest, end };
    this.#publishPatch(stream, 'draftPatch', params, latest);
    return false;
  }

  async #whole(stream: LiveStream, latest: OpenText): Promise<void> {
    const { draft } = stream;
    let isSent = false;
    draft.isRendering = true;
    draft.isReplaced = false;
    draft.isTakenBack = false;
    const snapshot = this.#snapshots.begin(stream.info);
    try {
      const params = await this.#ports.render(stream.info.messageKey, latest);
      // Publish nothing more while the end of the reply is being stored, nor parts that were taken back: no patch
      // removes them. The next tick renders the reply anew.
      if (!stream.isLive || draft.isTakenBack) return;
      draft.patch = { ...latest, end: endOf(latest.text) };
      this.#publishPatch(stream, 'patchSnapshot', params, latest, snapshot);
      isSent = true;
    } catch {
      // `isReplaced`, set below, makes the next tick try again.
    } finally {
      draft.isRendering = false;
      if (!isSent) {
        this.#snapshots.end(snapshot);
        // If storing the end fails, the next patch must compare the texts, because the clients' text may not be a
        // prefix of the new one.
        draft.isReplaced = true;
      }
    }
  }

  #publishPatch(
    stream: LiveStream,
    kind: 'draftPatch' | 'patchSnapshot',
    params: string,
    told: OpenText,
    snapshot?: PendingSnapshot,
  ): void {
    const { draft } = stream;
    const costMs = (Buffer.byteLength(params) / PATCH_BYTES_PER_SECOND) * 1_000;
    draft.patchDueAt = Math.max(draft.patchDueAt, this.#ports.clock.monotonic()) + costMs;
    const onSeq = (seq: number): void => {
      if (draft.patch) draft.told = { ...told, seq };
      if (!snapshot || !this.#snapshots.end(snapshot)) return;
      draft.patch = null;
      this.#again(stream);
    };
    this.#ports.publish({ ...ofReply(stream), kind, params, onSeq });
  }

  #activity(stream: LiveStream): boolean {
    const { draft } = stream;
    if (!stream.isLive || draft.activityRevision === draft.latest.revision) return false;
    const now = this.#ports.clock.monotonic();
    if (now - draft.activityAt < ACTIVITY_MS) return true;
    draft.activityAt = now;
    draft.activityRevision = draft.latest.revision;
    void this.#showActivity(stream, draft.latest);
    return false;
  }

  async #showActivity(stream: LiveStream, latest: OpenText): Promise<void> {
    const { draft } = stream;
    const params = await this.activityParams(stream.info.messageKey, latest).catch(() => undefined);
    // Skip this activity if newer activity or the reply's end has overtaken it, or if its rows could not be read.
    if (params === undefined || !stream.isLive || draft.activityRevision !== latest.revision) return;
    const onSeq = (seq: number) => void (draft.activitySeq = seq);
    this.#ports.publish({ ...ofReply(stream), kind: 'draftActivity', params, onSeq });
  }

  /** Params of `draftActivity` for this text: the reply without its content, but with a short preview. */
  async activityParams(messageKey: number, open: OpenText): Promise<string> {
    const message: Record<string, unknown> = JSON.parse(await this.#ports.render(messageKey, open));
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
