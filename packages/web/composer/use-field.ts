import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isTouch } from '../browser/touch.ts';
import { type Edit, pasted, type Written } from './format/edit.ts';
import { type Composing, type Place, useSignal } from './composing/composing.ts';
import type { ComposerText } from './use-text.ts';

export interface Field {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly caret: number;
  readonly onCaret: (caret: number) => void;
  readonly focus: () => void;
  /** Replaces the text, and puts the caret at its end or at `caret`. */
  readonly write: (text: string, caret?: number) => void;
  /** Changes the text as typing does, so that the change can be undone, and focuses the field. */
  readonly edit: (make: (written: Written) => Edit | null) => boolean;
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

  /** Returns whether there was something to change. */
  function edit(make: (written: Written) => Edit | null): boolean {
    const element = area.current;
    const { value = '', selectionStart = 0, selectionEnd = 0 } = element ?? {};
    const change = make({ text: value, start: selectionStart, end: selectionEnd });
    if (!element || !change) return false;
    element.focus();
    if (change.from < change.to || change.text !== '') {
      element.setSelectionRange(change.from, change.to);
      replaceSelection(element, change.text);
    }
    element.setSelectionRange(change.start, change.end);
    onCaret(change.start);
    return true;
  }

  return {
    area,
    caret,
    onCaret,
    focus,
    write,
    edit,
    insert: (piece) => void edit((written) => pasted(piece, written)),
  };
}

/** Maximum number of lines that are written so that they can be undone: Chromium takes quadratic time for it. */
const MAX_UNDONE_LINES = 100;

/** Only an old command keeps what the browser can undo. It sends the event of a typed text. */
function replaceSelection(element: HTMLTextAreaElement, text: string): void {
  const isShort = text.split('\n', MAX_UNDONE_LINES + 1).length <= MAX_UNDONE_LINES;
  // oxlint-disable-next-line typescript/no-deprecated -- see above
  if (isShort && document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) return;
  element.setRangeText(text);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}
