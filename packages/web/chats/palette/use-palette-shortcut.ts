import { useEffect, useEffectEvent } from 'react';

/** Calls `open` on ⌘K or Ctrl+K anywhere on the page, unless the key has a meaning where the focus is. */
export function usePaletteShortcut(open: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // In the composer it makes a link of selected words.
    if (event.defaultPrevented) return;
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
