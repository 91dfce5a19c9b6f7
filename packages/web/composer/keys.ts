import { isTouch } from '../browser/touch.ts';

/** What a key does in the composer. */
export type KeyMeaning = 'next' | 'previous' | 'choose' | 'close' | 'cancel' | 'edit-last' | 'send';

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

interface KeyPlace {
  readonly isListOpen: boolean;
  /** One option of the list is marked. */
  readonly hasActive: boolean;
  readonly isEmpty: boolean;
}

/** null: the text field's own. While an input method composes, every key is its. */
export function keyMeaning(event: PressedKey, place: KeyPlace, onTouch = isTouch()): KeyMeaning | null {
  // Safari ends the composition before the key that ended it: that one has the code 229.
  if (event.isComposing || event.keyCode === 229) return null;
  const { key, shiftKey, altKey } = event;
  const isWithCommand = event.ctrlKey || event.metaKey;
  const isPlain = !shiftKey && !altKey && !isWithCommand;
  if (place.isListOpen && isPlain) {
    if (key === 'ArrowDown') return 'next';
    if (key === 'ArrowUp') return 'previous';
    if (key === 'Tab' || (key === 'Enter' && place.hasActive)) return 'choose';
    if (key === 'Escape') return 'close';
  }
  if (key === 'Escape' && isPlain) return 'cancel';
  if (key === 'ArrowUp' && isPlain && place.isEmpty) return 'edit-last';
  if (key !== 'Enter' || shiftKey || altKey) return null;
  return isWithCommand || !onTouch ? 'send' : null;
}
