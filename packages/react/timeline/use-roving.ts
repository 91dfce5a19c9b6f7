import type { Virtualizer } from '@tanstack/react-virtual';
import { rowOf } from '@parley/client/store';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from '../provider.ts';

interface RovingInput {
  ids: readonly string[];
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: RefObject<Virtualizer<HTMLDivElement, Element> | null>;
  /** Called when Escape leaves the messages. */
  onLeave: (() => void) | undefined;
}

interface Roving {
  /** The focused message; its row stays mounted however far the user scrolls. */
  readonly active: string | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: (index: number) => void;
}

/** Roving tabindex: the messages are one Tab stop; arrows, Home and End move between them. */
export function useRoving({ ids, scroller, virtualizer, onLeave }: RovingInput): Roving {
  const [active, setActive] = useState<string | null>(null);
  const isMoving = useRef(false);
  const store = useStore();

  useEffect(() => {
    if (!isMoving.current || active === null) return;
    isMoving.current = false;
    const at = ids.indexOf(active);
    scroller.current?.querySelector<HTMLElement>(`[data-index="${at}"] [data-row]`)?.focus({ preventScroll: true });
    virtualizer.current?.scrollToIndex(at, { align: 'auto' });
  }, [active, ids, scroller, virtualizer]);

  // The row of a reply is another one once the reply is regenerated: the focus follows it.
  useEffect(() => {
    const former = active === null || ids.includes(active) ? undefined : store.message(active).get();
    if (!former || document.activeElement !== document.body || !ids.includes(rowOf(former))) return;
    isMoving.current = true;
    setActive(rowOf(former));
  }, [active, ids, store]);

  return {
    active,
    onFocus: (index) => setActive(ids[index] ?? null),
    onKeyDown(event) {
      const { target } = event;
      const own = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-row]') : null;
      if (!own) return;
      if (event.key === 'Escape') {
        // Esc goes from a button to its message, and from the message to the composer.
        event.preventDefault();
        if (own === target) onLeave?.();
        else own.focus();
        return;
      }
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      // From a link or a button of a message too, but not from what the keys move or scroll itself.
      if (own !== target && !(target as HTMLElement).matches('a, button, summary')) return;
      const at = active === null ? ids.length - 1 : ids.indexOf(active);
      const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: ids.length - 1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      const to = ids[Math.max(0, Math.min(ids.length - 1, next))];
      if (to === undefined || to === active) return;
      isMoving.current = true;
      setActive(to);
    },
  };
}
