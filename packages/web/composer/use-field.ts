import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
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

  const write = useCallback(
    (next: string, at = next.length) => {
      type(next);
      onCaret(at);
      requestAnimationFrame(() => area.current?.setSelectionRange(at, at));
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
