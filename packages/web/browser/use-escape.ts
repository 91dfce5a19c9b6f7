import { useEffect, useEffectEvent } from 'react';
import { isCovered } from './covers.ts';

/** Calls back when the user presses Escape, unless an overlay or something with the focus has used the key. */
export function useEscape(onEscape: (event: KeyboardEvent) => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    // An overlay may be gone before the key has bubbled to the window.
    let wasCovered = false;
    const look = (): void => {
      wasCovered = isCovered();
    };
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented && !wasCovered) escape(event);
    };
    addEventListener('keydown', look, { capture: true });
    addEventListener('keydown', listen);
    return () => {
      removeEventListener('keydown', look, { capture: true });
      removeEventListener('keydown', listen);
    };
  }, []);
}
