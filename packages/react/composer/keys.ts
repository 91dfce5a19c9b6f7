export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** True on a touch screen without a mouse: there Enter starts a new line, and a button sends. */
export const isTouch = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/**
 * Whether an input method composes: it has the key. In Safari the keydown that ends a composition arrives after the
 * composition's end, with the key code 229.
 */
export const isComposing = (event: PressedKey): boolean => event.isComposing || event.keyCode === 229;

/** Enter sends, on touch screens only with Ctrl or Cmd; Shift+Enter and Alt+Enter start a new line. */
export function isSendKey(event: PressedKey, onTouch = isTouch()): boolean {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (isComposing(event) || key !== 'Enter' || shiftKey || altKey) return false;
  return ctrlKey || metaKey || !onTouch;
}
