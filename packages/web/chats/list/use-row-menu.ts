import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Point } from '../../ui/overlays/context-menu.tsx';

/** `rowId`: of a conversation or of a channel. */
export type OnMenu = (rowId: string, at: Element | Point, row: HTMLElement | null) => void;

/** How long a finger must rest on a row. */
const LONG_PRESS_MS = 450;
/** Movement in pixels that makes it a scroll, or moves a lifted row. */
export const SCROLLED_PX = 10;
const RIGHT_BUTTON = 2;

export const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-chat], [data-channel-row]') : null;
export const linkOf = (row: HTMLElement | null): HTMLElement | null => row?.querySelector('a') ?? null;

/** Without its touchend a touch makes no click. */
function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

interface RowMenuInput {
  isListed: boolean;
  onMenu: OnMenu;
  /** Takes a row that was pressed long, and calls `open` if it is not moved; false: the row cannot be moved. */
  lift: (row: HTMLElement, at: Point, open: () => void) => boolean;
}

/** Opens a row's menu on right click, on long press, and with Shift+F10 or the menu key. */
export function useRowMenu(list: RefObject<HTMLElement | null>, { isListed, onMenu, lift }: RowMenuInput): void {
  const open = useEffectEvent((row: HTMLElement, at: Point | null) => {
    const link = linkOf(row);
    onMenu(row.dataset['chat'] ?? row.dataset['channelRow'] ?? '', at ?? link ?? row, link);
  });
  const press = useEffectEvent((row: HTMLElement, at: Point) => {
    if (!lift(row, at, () => open(row, at))) open(row, at);
  });
  useEffect(() => {
    const rows = list.current;
    if (!rows || !isListed) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let start: Point = { x: 0, y: 0 };
    const end = new AbortController();
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ): void => rows.addEventListener(name, listener, { signal: end.signal });
    const stop = (): void => clearTimeout(timer);
    on('contextmenu', (event) => {
      const row = rowOf(event.target);
      if (!row) return;
      event.preventDefault();
      // A long press sends the event too; its own time counts.
      if (event instanceof PointerEvent && event.pointerType === 'touch') return;
      stop();
      // The keys send the event too, without a place of their own.
      open(row, event.button === RIGHT_BUTTON ? { x: event.clientX, y: event.clientY } : null);
    });
    on('pointerdown', (event) => {
      const row = rowOf(event.target);
      if (!row || event.pointerType !== 'touch') return;
      start = { x: event.clientX, y: event.clientY };
      stop();
      timer = setTimeout(() => {
        // Lifting the finger must neither close the menu nor open the conversation.
        addEventListener('touchend', swallow, { once: true, capture: true, passive: false, signal: end.signal });
        press(row, start);
      }, LONG_PRESS_MS);
    });
    on('pointermove', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - start.x, clientY - start.y) > SCROLLED_PX) stop();
    });
    on('pointerup', stop);
    on('pointercancel', stop);
    return () => {
      stop();
      end.abort();
    };
  }, [list, isListed]);
}
