import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Scrolls the open conversation's row into view once, and again after each page that is inserted above it, until the
 * user scrolls the list. `ids` are the rows.
 */
export function useRowInSight(
  list: RefObject<HTMLElement | null>,
  { openId, ids, isLoading }: { openId: string | null; ids: readonly string[]; isLoading: boolean },
): void {
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    wanted.current = openId;
  }, [openId]);

  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = list.current?.querySelector('[aria-current=page]');
    row?.scrollIntoView({ block: 'nearest' });
    if (row && !isLoading) wanted.current = null;
  }, [list, openId, ids, isLoading]);

  useEffect(() => {
    const rows = list.current;
    if (!rows) return undefined;
    const stop = () => {
      wanted.current = null;
    };
    const gestures = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
    for (const gesture of gestures) rows.addEventListener(gesture, stop, { passive: true });
    return () => {
      for (const gesture of gestures) rows.removeEventListener(gesture, stop);
    };
  }, [list, isLoading]);
}
