import { type Dispatch, type SetStateAction, useEffectEvent, useLayoutEffect } from 'react';

/**
 * Sends all typed keys to the palette from the moment it is requested, even while its script loads and the focus is
 * elsewhere: they never reach the composer (WEB-67).
 */
export function usePaletteKeys(onTyped: Dispatch<SetStateAction<string>>, onClose: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (target instanceof Element && target.closest('[data-palette]')) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (key === 'Escape') onClose();
    else if (key === 'Backspace') onTyped((typed) => typed.slice(0, -1));
    else if (key.length === 1) onTyped((typed) => typed + key);
    else if (key !== 'Enter' && key !== 'Delete' && !key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event;
    if (target instanceof Element && target.closest('[data-palette]')) return;
    const pasted = clipboardData?.getData('text/plain').replaceAll(/\s+/g, ' ') ?? '';
    onTyped((typed) => typed + pasted);
    event.preventDefault();
    event.stopPropagation();
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => onKey(event);
    const paste = (event: ClipboardEvent): void => onPaste(event);
    addEventListener('keydown', press, { capture: true });
    addEventListener('paste', paste, { capture: true });
    return () => {
      removeEventListener('keydown', press, { capture: true });
      removeEventListener('paste', paste, { capture: true });
    };
  }, []);
}
