import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from '../session/session.ts';
import { type Composing, type Place, useComposings } from './composing/composing.ts';

const isOfChat = ({ channel_id, thread_root_id }: Place): boolean => (channel_id ?? thread_root_id ?? null) === null;

export interface ComposerText {
  readonly text: string;
  /** Sets the text and saves it as a draft, unless a message is being edited. */
  readonly type: (text: string) => void;
  /** Empties the text after it was sent. */
  readonly clear: () => void;
  /** The text is a draft on the service, which the next message clears. */
  readonly hasDraft: boolean;
}

/** The composer's text, saved as a draft; adopts drafts from other tabs unless this one has newer text. */
export function useText(place: Place, { replyTo, editing }: Composing): ComposerText {
  const store = useStore();
  const composings = useComposings();
  const hasDraft = isOfChat(place);
  const chatId = place.chat_id;
  const kept = useCallback(
    (): string => (hasDraft ? store.draft(chatId).get()?.text : composings.unsent(place)) ?? '',
    [store, composings, hasDraft, chatId, place],
  );
  const [text, setText] = useState(kept);
  const shown = useRef(text);
  const show = useCallback((next: string) => {
    shown.current = next;
    setText(next);
  }, []);

  useEffect(() => {
    if (!hasDraft || editing !== null) return undefined;
    const draft = store.draft(chatId);
    // The store prefers local text over remote drafts: a draft that differs from this text is remote.
    const adopt = () => {
      const found = draft.get();
      const next = found?.text ?? '';
      if (next.trim() === shown.current.trim()) return;
      show(next);
      composings.set({ chat_id: chatId }, { replyTo: found?.reply_to_id ?? null });
    };
    adopt();
    const reply = draft.get()?.reply_to_id ?? null;
    if (reply !== null) composings.set({ chat_id: chatId }, { replyTo: reply });
    return draft.subscribe(adopt);
  }, [store, composings, chatId, hasDraft, editing, show]);

  // The message replied to is part of the draft.
  const savedReply = useRef(replyTo);
  useEffect(() => {
    if (savedReply.current === replyTo || editing !== null) return;
    savedReply.current = replyTo;
    if (hasDraft && shown.current.trim() !== '') store.saveDraft(chatId, shown.current, replyTo);
  }, [store, chatId, hasDraft, replyTo, editing]);

  // While a message is edited its text replaces the draft.
  const wasEditing = useRef<string | null>(null);
  useEffect(() => {
    if (wasEditing.current === editing) return;
    wasEditing.current = editing;
    show(editing === null ? kept() : (store.message(editing).get()?.content ?? ''));
  }, [store, editing, kept, show]);

  const type = useCallback(
    (next: string) => {
      show(next);
      if (editing !== null) return;
      if (hasDraft) store.saveDraft(chatId, next, replyTo);
      else composings.keepUnsent(place, next);
    },
    [store, composings, chatId, hasDraft, place, editing, replyTo, show],
  );
  const clear = useCallback(() => {
    show('');
    composings.keepUnsent(place, '');
  }, [composings, place, show]);
  return { text, type, clear, hasDraft };
}
