import type { Clock } from '../core/clock.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { chatScope, eventClass, timelineOf } from '../core/event-kinds.ts';
import { appendPatch, endOf, replacePatch, type TextEnd } from '../rules/draft-patch.ts';
import type { OpenText } from '../store/messages.ts';
import type { LiveStream } from './live-stream.ts';
import type { PendingSnapshot, PendingSnapshots } from './pending-snapshots.ts';

/** What patches of one open reply may cost a socket: a very long line is sent whole each time (CAPS-6). */
const PATCH_BYTES_PER_SECOND = 256 * 1024;
/** So much debt is no reason to wait: small patches go out as they come. */
const PATCH_BURST_MS = 40;
/** `draftActivity` comes at most twice a second (CAPS-8). */
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
 * What all has that is published of an open reply: whose it is, and that it reaches nobody once the reply has ended or
 * was deleted, while it waits for its number (DEL-5).
 */
export const ofReply = (stream: LiveStream) => ({
  scope: chatScope(stream.info.chatKey),
  timeline: timelineOf(stream.info),
  draft: stream.info.messageKey,
  isVoid: (): boolean => stream.isDropped,
});

/** What the sockets with the caps `patch` and `focus` have got of one open reply. */
export class DraftState {
  /** The text as it was shown last. */
  latest: OpenText;
  /** What the newest patch has led to. Null when nobody followed: who does so next gets it whole. */
  patch: (OpenText & { readonly end: TextEnd }) | null;
  /** What sockets with the cap `patch` have with their newest frame of it, and that frame's number. */
  told: (OpenText & { readonly seq: number }) | null;
  /** Until then nothing more may be sent. */
  patchDueAt = 0;
  /** Set when the text was replaced since the last patch. */
  isReplaced = false;
  isRendering = false;
  activityRevision = 0;
  activityAt = -ACTIVITY_MS;
  activitySeq = 0;

  constructor(open: OpenText, isResumed: boolean) {
    this.latest = open;
    this.patch = isResumed ? null : { ...open, end: endOf(open.text) };
    this.told = isResumed ? null : { ...open, seq: 0 };
  }
}

/** Patches and activity of open replies: made only where somebody listens, each with its own pace. */
export class DraftViews {
  readonly #ports: Ports;
  readonly #snapshots: PendingSnapshots;
  readonly #again: (stream: LiveStream) => void;

  /** `again`: this reply is to be looked at by `tick` once more. */
  constructor(ports: Ports, snapshots: PendingSnapshots, again: (stream: LiveStream) => void) {
    this.#ports = ports;
    this.#snapshots = snapshots;
    this.#again = again;
  }

  /** A reply began: those who are elsewhere hear of it at once. */
  opened(stream: LiveStream): void {
    this.showing(stream, stream.draft.latest);
    this.#activity(stream);
  }

  /**
   * A revision is about to be shown. Answers the classes of events that nobody listens to: its own event stands in the
   * log for what they would have got, so that who comes back learns that there is something to fetch (LOG-17).
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

  /** A revision was shown; true while something waits for its time. */
  shown(stream: LiveStream, latest: OpenText, isReplaced: boolean): boolean {
    stream.draft.latest = latest;
    stream.draft.isReplaced ||= isReplaced;
    return this.tick(stream);
  }

  /** Sends what the pace held back; true while something still waits. */
  tick(stream: LiveStream): boolean {
    const waits = [this.#patch(stream), this.#activity(stream)];
    return waits.includes(true);
  }

  #patch(stream: LiveStream): boolean {
    const { draft, info } = stream;
    const { latest, patch } = draft;
    if (stream.closing || patch?.revision === latest.revision) return false;
    if (!patch && !this.#ports.listens(info.chatKey, eventClass.patch)) return false;
    const now = this.#ports.clock.now();
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
    // Lines that all changed cost more than the text: then it goes whole.
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
    const snapshot = this.#snapshots.begin(stream.info);
    try {
      const params = await this.#ports.render(stream.info.messageKey, latest);
      // While its end is being stored nothing more is shown of it.
      if (stream.closing) return;
      draft.patch = { ...latest, end: endOf(latest.text) };
      this.#publishPatch(stream, 'patchSnapshot', params, latest, snapshot);
      isSent = true;
    } catch {
      // Tried again at the next occasion, as below.
    } finally {
      draft.isRendering = false;
      if (!isSent) {
        this.#snapshots.end(snapshot);
        // If the end is not stored after all, what is shown next is no mere append to what was sent.
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
    draft.patchDueAt = Math.max(draft.patchDueAt, this.#ports.clock.now()) + costMs;
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
    if (stream.closing || draft.activityRevision === draft.latest.revision) return false;
    const now = this.#ports.clock.now();
    if (now - draft.activityAt < ACTIVITY_MS) return true;
    draft.activityAt = now;
    draft.activityRevision = draft.latest.revision;
    void this.#showActivity(stream, draft.latest);
    return false;
  }

  async #showActivity(stream: LiveStream, latest: OpenText): Promise<void> {
    const { draft } = stream;
    const params = await this.activityParams(stream.info.messageKey, latest).catch(() => undefined);
    // What comes behind it, a newer one or its end, must not be followed by it; what could not be read is let go.
    if (params === undefined || stream.closing || draft.activityRevision !== latest.revision) return;
    const onSeq = (seq: number) => void (draft.activitySeq = seq);
    this.#ports.publish({ ...ofReply(stream), kind: 'draftActivity', params, onSeq });
  }

  /** Params of `draftActivity` for this text: everything of the draft but its content. */
  async activityParams(messageKey: number, open: OpenText): Promise<string> {
    const message: Record<string, unknown> = JSON.parse(await this.#ports.render(messageKey, open));
    const { id, conversation_id, channel_id, thread_root_id, sender, created_at } = message;
    const content_revision = open.revision;
    // A character has at most two units: of twice as many the last ones are whole.
    const preview = Array.from(open.text.slice(-2 * PREVIEW_CHARACTERS))
      .slice(-PREVIEW_CHARACTERS)
      .join('');
    const draft = { id, conversation_id, channel_id, thread_root_id, sender, created_at, content_revision, preview };
    return JSON.stringify(draft);
  }
}

/** About what a Message has beside its text. */
const SNAPSHOT_OVERHEAD = 700;
