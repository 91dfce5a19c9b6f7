import { isComposing, isSendKey, type PressedKey } from '@parley/react';
import { isTouch } from '../browser/touch.ts';

/** The meaning of a key in the composer. */
type KeyMeaning = 'next' | 'previous' | 'choose' | 'close' | 'cancel' | 'edit-last' | 'send' | 'new-line';

interface KeyPlace {
  readonly isListOpen: boolean;
  /** An option of the list is active. */
  readonly hasActive: boolean;
  readonly isEmpty: boolean;
}

/** Returns null to leave a key to the text field: always while an input method composes. */
export function keyMeaning(event: PressedKey, place: KeyPlace, onTouch = isTouch()): KeyMeaning | null {
  if (isComposing(event)) return null;
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
  if (key !== 'Enter') return null;
  if (isSendKey(event, onTouch)) return 'send';
  return isWithCommand ? null : 'new-line';
}
