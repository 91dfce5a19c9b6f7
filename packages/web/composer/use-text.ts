import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from '../session/session.ts';
import { type Composing, type Place, useComposings } from './composing/composing.ts';

export interface ComposerText {
  readonly text: string;
  /** Sets the text and saves it as a draft, unless a message is being edited. */
  readonly type: (text: string) => void;
  /** Empties the text after it was sent. */
  readonly clear: () => void;
}

/** The composer's text, saved as a draft; adopts drafts from other tabs unless this one has newer text. */
export function useText(place: Place, { replyTo, editing }: Composing): ComposerText {
  const store = useStore();
  const composings = useComposings();
  const kept = useCallback((): string => store.draft(place).get()?.text ?? '', [store, place]);
  const [text, setText] = useState(kept);
  const shown = useRef(text);
  const show = useCallback((next: string) => {
    shown.current = next;
    setText(next);
  }, []);

  useEffect(() => {
    if (editing !== null) return undefined;
    const draft = store.draft(place);
    // The store prefers local text over remote drafts: a draft that differs from this text is remote.
    const adopt = () => {
      const found = draft.get();
      const next = found?.text ?? '';
      if (next.trim() === shown.current.trim()) return;
      show(next);
      composings.set(place, { replyTo: found?.reply_to_id ?? null });
    };
    adopt();
    const reply = draft.get()?.reply_to_id ?? null;
    if (reply !== null) composings.set(place, { replyTo: reply });
    return draft.subscribe(adopt);
  }, [store, composings, place, editing, show]);

  // The message replied to is part of the draft.
  const savedReply = useRef(replyTo);
  useEffect(() => {
    if (savedReply.current === replyTo || editing !== null) return;
    savedReply.current = replyTo;
    if (shown.current.trim() !== '') store.saveDraft(place, shown.current, replyTo);
  }, [store, place, replyTo, editing]);

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
      if (editing === null) store.saveDraft(place, next, replyTo);
    },
    [store, place, editing, replyTo, show],
  );
  const clear = useCallback(() => show(''), [show]);
  return { text, type, clear };
}
