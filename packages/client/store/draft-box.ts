import type { Draft, EventParams } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';

/** Delay between the last keystroke and saving the draft. */
const PAUSE_MS = 600;

interface Edit {
  timer: Timer | null;
  isSaving: boolean;
}

/** The input drafts of the account, on all its devices. */
export class DraftBox {
  readonly family: CellFamily<Draft | null>;
  readonly #client: Client;
  readonly #clock: Clock;
  /** Distinguishes this store's own updates from those of other devices. */
  readonly #origin: string;
  /** Drafts edited here and not saved yet; they override updates from other devices. */
  readonly #edits = new Map<string, Edit>();
  /** When the service saved each draft, including cleared ones: the last write wins. */
  readonly #savedAt = new Map<string, number>();
  #isClosed = false;

  constructor(changes: Changes, client: Client, clock: Clock, origin: string) {
    this.family = new CellFamily(changes, () => null);
    this.#client = client;
    this.#clock = clock;
    this.#origin = origin;
  }

  /** Loads all drafts. */
  load(drafts: readonly Draft[]): void {
    const ids = new Set(drafts.map(({ chat_id }) => chat_id));
    for (const id of this.family.keys()) if (!ids.has(id) && !this.#edits.has(id)) this.family.delete(id);
    for (const draft of drafts) this.#take(draft);
  }

  receive({ conversation_id, text, reply_to_id = null, updated_at, origin }: EventParams<'draftUpdated'>): void {
    const draft = { chat_id: conversation_id, text, reply_to_id, updated_at };
    if (origin !== this.#origin) return this.#take(draft);
    this.#savedAt.set(conversation_id, Math.max(updated_at, this.#savedAt.get(conversation_id) ?? 0));
    return undefined;
  }

  edit(chatId: string, text: string, replyToId: string | null): void {
    this.#show({ chat_id: chatId, text, reply_to_id: replyToId, updated_at: this.#clock.now() });
    const edit = this.#edits.get(chatId) ?? { timer: null, isSaving: false };
    this.#edits.set(chatId, edit);
    edit.timer?.cancel();
    edit.timer = this.#clock.setTimer(() => void this.#save(chatId, edit), PAUSE_MS);
  }

  /** Removes the draft of a sent message, which the service clears too. */
  sent(chatId: string): void {
    this.#edits.get(chatId)?.timer?.cancel();
    this.#edits.delete(chatId);
    this.family.delete(chatId);
  }

  /** The page may close at any moment: saves pending drafts with requests that outlive it. */
  flush(): void {
    for (const [chatId, edit] of this.#edits) {
      edit.timer?.cancel();
      void this.#save(chatId, edit, true);
    }
  }

  /** Saves drafts that failed to save without a connection. */
  retry(): void {
    for (const [chatId, edit] of this.#edits) if (!edit.timer && !edit.isSaving) void this.#save(chatId, edit);
  }

  forget(chatId: string): void {
    this.sent(chatId);
    this.#savedAt.delete(chatId);
  }

  /** Closes the box after saving pending edits. */
  close(): void {
    this.#isClosed = true;
    for (const [chatId, edit] of this.#edits)
      if (edit.timer) {
        edit.timer.cancel();
        void this.#save(chatId, edit);
      }
  }

  #take(draft: Draft): void {
    const { chat_id, updated_at } = draft;
    if ((this.#savedAt.get(chat_id) ?? 0) > updated_at) return;
    this.#savedAt.set(chat_id, updated_at);
    if (!this.#edits.has(chat_id)) this.#show(draft);
  }

  #show(draft: Draft): void {
    if (draft.text.trim() === '') return this.family.delete(draft.chat_id);
    const known = this.family.get(draft.chat_id);
    const { text, reply_to_id, updated_at } = draft;
    if (known?.text === text && known.reply_to_id === reply_to_id && known.updated_at === updated_at) return undefined;
    return this.family.set(draft.chat_id, draft);
  }

  async #save(chatId: string, edit: Edit, keepalive = false): Promise<void> {
    edit.timer = null;
    if (edit.isSaving && !keepalive) return;
    edit.isSaving = true;
    const draft = this.family.get(chatId);
    const params = { chat_id: chatId, text: draft?.text ?? '', reply_to_id: draft?.reply_to_id ?? undefined };
    try {
      await this.#client.call('saveDraft', { ...params, origin: this.#origin }, { keepalive });
    } catch (error) {
      // Without a connection the draft is saved later. A draft that the service refuses stays local.
      if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) {
        edit.isSaving = false;
        // The draft may be too long for a request that outlives the page: if the page still exists, save it normally.
        return keepalive ? this.#save(chatId, edit) : undefined;
      }
    }
    edit.isSaving = false;
    if (this.#edits.get(chatId) !== edit || edit.timer) return;
    const now = this.family.get(chatId);
    if (now === draft) this.#edits.delete(chatId);
    else if (!this.#isClosed) await this.#save(chatId, edit);
  }
}
