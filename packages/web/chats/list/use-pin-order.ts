import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import { t } from '../../words/t.ts';
import { pinsAfterMove } from './shown-chats.ts';
import type { Point } from '../../ui/overlays/context-menu.tsx';
import { linkOf, rowOf, SCROLLED_PX } from './use-row-menu.ts';

interface PinOrderInput {
  /** Whether the list is there and shows all pins in their order. */
  isOn: boolean;
  ids: readonly string[];
  onProblem: (text: string) => void;
}

interface PinOrder {
  readonly move: (chatId: string, by: 1 | -1) => void;
  /** Lets a finger that rests on a pinned row move it; calls `onStill` if it is lifted without a move. */
  readonly lift: (row: HTMLElement, at: Point, onStill: () => void) => boolean;
  /** What a screen reader says after a move. */
  readonly note: string;
}

/** The place of a pinned row under a pointer, and whether the row that is moved goes after it. */
interface DropPlace {
  row: HTMLElement;
  isAfter: boolean;
}

const isPinned = (row: HTMLElement | null): row is HTMLElement => row?.dataset['pinned'] !== undefined;

function placeAt(target: EventTarget | null, clientY: number): DropPlace | null {
  const row = rowOf(target);
  if (!isPinned(row)) return null;
  const { top, height } = row.getBoundingClientRect();
  return { row, isAfter: clientY > top + height / 2 };
}

/** Marks the place where a row would go. */
class DropMark {
  #row: HTMLElement | null = null;

  show(place: DropPlace | null): void {
    if (this.#row && this.#row !== place?.row) delete this.#row.dataset['drop'];
    this.#row = place?.row ?? null;
    if (place) place.row.dataset['drop'] = place.isAfter ? 'after' : 'before';
  }
}

/** Orders the pinned rows by dragging, also with a finger that has rested on the row, and with Alt+Shift+Up and Down. */
export function usePinOrder(list: RefObject<HTMLElement | null>, { isOn, ids, onProblem }: PinOrderInput): PinOrder {
  const { store } = useSession();
  const [note, setNote] = useState('');
  const focused = useRef<string | null>(null);
  const place = (chatId: string, to: number): void => {
    const order = pinsAfterMove(store.chats.get().pinned, chatId, to);
    if (!order) return;
    store.orderPinned(order).catch((error: unknown) => onProblem(errorText(error)));
    setNote(t('Moved to place {place, number} of {count, number}', { place: to + 1, count: order.length }));
  };
  const move = (chatId: string, by: 1 | -1): void => place(chatId, store.chats.get().pinned.indexOf(chatId) + by);

  // Moving a row in the document takes the focus from it.
  useLayoutEffect(() => {
    if (focused.current === null) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-chat="${focused.current}"]`) ?? null;
    focused.current = null;
    linkOf(row)?.focus();
  }, [list, ids]);

  const drop = useEffectEvent((dragged: HTMLElement, { row, isAfter }: DropPlace) => {
    const { pinned } = store.chats.get();
    const chatId = dragged.dataset['chat'] ?? '';
    const [from, target] = [pinned.indexOf(chatId), pinned.indexOf(row.dataset['chat'] ?? '')];
    const to = target + (isAfter ? 1 : 0);
    place(chatId, from < to ? to - 1 : to);
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = event.altKey && event.shiftKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined;
    const chatId = rowOf(event.target)?.dataset['chat'];
    if (by === undefined || chatId === undefined || !store.chats.get().pinned.includes(chatId)) return;
    event.preventDefault();
    event.stopPropagation();
    focused.current = chatId;
    move(chatId, by);
  });

  const lifted = useRef<Lifted | null>(null);
  const lift = (row: HTMLElement, at: Point, onStill: () => void): boolean => {
    if (!isOn || !isPinned(row)) return false;
    lifted.current = { row, at, onStill, isMoving: false };
    row.dataset['lifted'] = '';
    return true;
  };

  useEffect(() => {
    const rows = list.current;
    if (!rows || !isOn) return undefined;
    let dragged: HTMLElement | null = null;
    const mark = new DropMark();
    const end = new AbortController();
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
      options?: AddEventListenerOptions,
    ): void => rows.addEventListener(name, listener, { ...options, signal: end.signal });
    on('keydown', onKey);
    on('dragstart', (event) => {
      // Some phones drag a link that is pressed long: there the finger moves the row itself.
      if (lifted.current) event.preventDefault();
      const row = rowOf(event.target);
      dragged = isPinned(row) ? row : null;
    });
    on('dragover', (event) => {
      const over = dragged && placeAt(event.target, event.clientY);
      mark.show(over);
      if (over) event.preventDefault();
    });
    on('drop', (event) => {
      const over = dragged && placeAt(event.target, event.clientY);
      if (!dragged || !over) return;
      event.preventDefault();
      drop(dragged, over);
    });
    on('dragend', () => {
      mark.show(null);
      dragged = null;
    });

    const putDown = (): Lifted | null => {
      const one = lifted.current;
      lifted.current = null;
      mark.show(null);
      if (one) delete one.row.dataset['lifted'];
      return one;
    };
    // A finger's events go to the row where it began.
    const under = ({ clientX, clientY }: PointerEvent) => placeAt(document.elementFromPoint(clientX, clientY), clientY);
    // Not passive: a finger that moves a row must not scroll the list.
    on('touchmove', (event) => lifted.current && event.preventDefault(), { passive: false });
    on('pointermove', (event) => {
      const one = lifted.current;
      if (!one) return;
      one.isMoving ||= Math.hypot(event.clientX - one.at.x, event.clientY - one.at.y) > SCROLLED_PX;
      if (one.isMoving) mark.show(under(event));
    });
    on('pointerup', (event) => {
      const over = under(event);
      const one = putDown();
      if (!one) return;
      if (!one.isMoving) one.onStill();
      else if (over) drop(one.row, over);
    });
    on('pointercancel', putDown);
    return () => {
      putDown();
      end.abort();
    };
  }, [list, isOn]);

  return { move, lift, note };
}

/** A pinned row under a finger. */
interface Lifted {
  row: HTMLElement;
  at: Point;
  onStill: () => void;
  /** The finger has moved: the row goes where it is put down. */
  isMoving: boolean;
}
