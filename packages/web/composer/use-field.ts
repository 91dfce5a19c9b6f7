import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isTouch } from '../browser/touch.ts';
import { type Composing, type Place, useSignal } from './composing/composing.ts';
import type { ComposerText } from './use-text.ts';

export interface Field {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly caret: number;
  readonly onCaret: (caret: number) => void;
  readonly focus: () => void;
  /** Replaces the text, and puts the caret at its end or at `caret`. */
  readonly write: (text: string, caret?: number) => void;
  /** Replaces the selection and focuses the field. */
  readonly insert: (piece: string) => void;
}

/** The composer's text field: its caret, its focus, and changes that the user does not type. */
export function useField({ text, type }: ComposerText, place: Place, { replyTo, editing }: Composing): Field {
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, onCaret] = useState(text.length);
  const focus = useCallback(() => area.current?.focus(), []);
  useSignal('focus', place, focus);
  useEffect(() => {
    // On touch screens the keyboard would cover the messages: focus only for a reply or an edit.
    if ((replyTo ?? editing) !== null || !isTouch()) focus();
  }, [replyTo, editing, focus]);

  /** Where the caret goes once the field holds this text: before the next key, which would otherwise move with it. */
  const written = useRef<{ text: string; at: number } | null>(null);
  useLayoutEffect(() => {
    const { current } = written;
    if (!current || area.current?.value !== current.text) return;
    written.current = null;
    area.current.setSelectionRange(current.at, current.at);
  });
  const write = useCallback(
    (next: string, at = next.length) => {
      written.current = { text: next, at };
      type(next);
      onCaret(at);
    },
    [type],
  );
  const fill = useCallback(
    (next: string) => {
      write(next);
      focus();
    },
    [write, focus],
  );
  useSignal('text', place, fill);

  function insert(piece: string) {
    const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {};
    write(text.slice(0, selectionStart) + piece + text.slice(selectionEnd), selectionStart + piece.length);
    focus();
  }

  return { area, caret, onCaret, focus, write, insert };
}
