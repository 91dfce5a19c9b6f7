import type { Draft, EventParams } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Client, TimelineKey } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import type { Ticks } from './ticks.ts';
import { type FullKey, fullKey, keyOf, placeOf, timelineId } from './timeline-id.ts';

/** Delay between the last keystroke and saving the draft. */
const PAUSE_MS = 600;

interface Edit {
  key: TimelineKey;
  timer: Timer | null;
  isSaving: boolean;
}

/** The input drafts of the account, on all its devices: one for each timeline. */
export class DraftBox {
  readonly family: CellFamily<Draft | null>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #ticks: Ticks;
  /** Distinguishes this store's own updates from those of other devices. */
  readonly #origin: string;
  /** Drafts edited here and not saved yet; they override updates from other devices. */
  readonly #edits = new Map<string, Edit>();
  /** When the service saved each draft, including cleared ones: the last write wins. */
  readonly #savedAt = new Map<string, number>();
  /** The texts that this store has saved last. */
  readonly #saved = new Map<string, string>();
  #isClosed = false;

  constructor(changes: Changes, client: Client, clock: Clock, ticks: Ticks, origin: string) {
    this.family = new CellFamily<Draft | null>(changes, () => null);
    this.#client = client;
    this.#clock = clock;
    this.#ticks = ticks;
    this.#origin = origin;
  }

  /** Loads all drafts, as answered to a request made at the tick `since`. */
  load(drafts: readonly Draft[], since: number): void {
    const fetched = new Map(drafts.map((draft) => [timelineId(draft), draft]));
    for (const id of new Set([...this.family.keys(), ...fetched.keys()])) {
      // A draft that was saved or sent since then is newer than the answer.
      if (this.#edits.has(id) || this.#ticks.isChanged(`draft ${id}`, since)) continue;
      const draft = fetched.get(id);
      if (draft) this.#take(draft);
      else this.family.delete(id);
    }
  }

  receive({ conversation_id, origin, reply_to_id = null, ...content }: EventParams<'draftUpdated'>): void {
    const draft = { chat_id: conversation_id, reply_to_id, ...content };
    const id = timelineId(draft);
    // Of this store's own updates only the newest is shown: an older one of another device may have arrived before it.
    if (origin !== this.#origin || draft.text === this.#saved.get(id)) return this.#take(draft);
    this.#savedAt.set(id, Math.max(draft.updated_at, this.#savedAt.get(id) ?? 0));
    return undefined;
  }

  edit(key: TimelineKey, text: string, replyToId: string | null): void {
    const id = timelineId(key);
    this.#show({ ...placeOf(fullKey(key)), text, reply_to_id: replyToId, updated_at: this.#clock.now() });
    const edit = this.#edits.get(id) ?? { key, timer: null, isSaving: false };
    this.#edits.set(id, edit);
    edit.timer?.cancel();
    edit.timer = this.#clock.setTimer(() => void this.#save(id, edit), PAUSE_MS);
  }

  /** Removes the draft of a sent message, which the service clears too. */
  sent(key: TimelineKey): void {
    this.#drop(timelineId(key));
  }

  /** The page may close at any moment: saves pending drafts with requests that outlive it. */
  flush(): void {
    for (const [id, edit] of this.#edits) {
      edit.timer?.cancel();
      void this.#save(id, edit, true);
    }
  }

  /** Saves drafts that failed to save without a connection. */
  retry(): void {
    for (const [id, edit] of this.#edits) if (!edit.timer && !edit.isSaving) void this.#save(id, edit);
  }

  /** Drops the drafts of timelines that are gone. */
  forget(isGone: (key: FullKey) => boolean): void {
    for (const id of new Set([...this.#savedAt.keys(), ...this.#edits.keys()])) {
      if (!isGone(keyOf(id))) continue;
      this.#drop(id);
      this.#savedAt.delete(id);
    }
  }

  /** Closes the box after saving pending edits. */
  close(): void {
    this.#isClosed = true;
    for (const [id, edit] of this.#edits)
      if (edit.timer) {
        edit.timer.cancel();
        void this.#save(id, edit);
      }
  }

  #drop(id: string): void {
    this.#edits.get(id)?.timer?.cancel();
    this.#edits.delete(id);
    this.#saved.delete(id);
    this.#ticks.touch(`draft ${id}`);
    this.family.delete(id);
  }

  #take(draft: Draft): void {
    const id = timelineId(draft);
    const { updated_at } = draft;
    if ((this.#savedAt.get(id) ?? 0) > updated_at) return;
    this.#savedAt.set(id, updated_at);
    if (!this.#edits.has(id)) this.#show(draft);
  }

  #show(draft: Draft): void {
    const id = timelineId(draft);
    if (draft.text.trim() === '') this.family.delete(id);
    else this.family.set(id, draft);
  }

  async #save(id: string, edit: Edit, keepalive = false): Promise<void> {
    edit.timer = null;
    if (edit.isSaving && !keepalive) return;
    edit.isSaving = true;
    const draft = this.family.get(id);
    const content = { text: draft?.text ?? '', reply_to_id: draft?.reply_to_id ?? undefined };
    const params = { ...placeOf(fullKey(edit.key)), ...content, origin: this.#origin };
    try {
      await this.#client.call('saveDraft', params, { keepalive });
    } catch (error) {
      // Without a connection the draft is saved later. A draft that the service refuses stays local.
      if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) {
        edit.isSaving = false;
        // The draft may be too long for a request that outlives the page: if the page still exists, save it normally.
        return keepalive ? this.#save(id, edit) : undefined;
      }
    }
    edit.isSaving = false;
    if (this.#edits.get(id) !== edit || edit.timer) return;
    const now = this.family.get(id);
    this.#ticks.touch(`draft ${id}`);
    this.#saved.set(id, content.text);
    if (now === draft) this.#edits.delete(id);
    else if (!this.#isClosed) await this.#save(id, edit);
  }
}
