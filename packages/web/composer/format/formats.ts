import type { PressedKey } from '@parley/react';
import { isApple } from '../../browser/is-apple.ts';

/** What the bar and the keys do to the text. */
export type Format = 'bold' | 'italic' | 'link' | 'bullets' | 'numbers' | 'quote' | 'code';

/** By the key's letter. */
const LETTERS: Readonly<Record<string, Format>> = { b: 'bold', i: 'italic', k: 'link', e: 'code' };
/** With Shift, by the key's place: what a digit writes then depends on the keyboard. */
const SHIFTED: Readonly<Record<string, Format>> = {
  Digit7: 'numbers',
  Digit8: 'bullets',
  Digit9: 'quote',
  KeyC: 'code',
};

/**
 * The format that a key stands for, with Ctrl, on Apple's systems with Cmd: there Ctrl with a letter moves the caret. Without a
 * selection Ctrl+K is not a link but opens the palette.
 */
export function formatOfKey(event: PressedKey & { code: string }, hasSelection: boolean): Format | null {
  const { altKey, ctrlKey, metaKey, shiftKey, key, code } = event;
  if (altKey || (isApple ? ctrlKey || !metaKey : metaKey || !ctrlKey)) return null;
  const format = shiftKey ? SHIFTED[code] : LETTERS[key.toLowerCase()];
  return format === undefined || (format === 'link' && !hasSelection) ? null : format;
}
