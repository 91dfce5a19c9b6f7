import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import { t } from '../../words/t.ts';
import { pinsAfterMove } from './shown-chats.ts';
import { linkOf, rowOf } from './use-row-menu.ts';

interface PinOrderInput {
  /** Whether the list is there and shows all pins in their order. */
  isOn: boolean;
  ids: readonly string[];
  onProblem: (text: string) => void;
}

interface PinOrder {
  readonly move: (chatId: string, by: 1 | -1) => void;
  /** What a screen reader says after a move. */
  readonly note: string;
}

/** Orders the pinned rows by dragging, and with Alt+Shift+Up and Down (WEB-185). */
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

  const drop = useEffectEvent((chatId: string, targetId: string, isAfter: boolean) => {
    const { pinned } = store.chats.get();
    const [from, target] = [pinned.indexOf(chatId), pinned.indexOf(targetId)];
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

  useEffect(() => {
    const rows = list.current;
    if (!rows || !isOn) return undefined;
    let dragged: HTMLElement | null = null;
    let over: HTMLElement | null = null;
    const end = new AbortController();
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ): void => rows.addEventListener(name, listener, { signal: end.signal });
    const mark = (row: HTMLElement | null, edge?: 'before' | 'after'): void => {
      if (over && over !== row) delete over.dataset['drop'];
      over = row;
      if (row && edge) row.dataset['drop'] = edge;
    };
    const isAfter = (row: HTMLElement, { clientY }: DragEvent): boolean => {
      const { top, height } = row.getBoundingClientRect();
      return clientY > top + height / 2;
    };
    const pinnedRow = (target: EventTarget | null): HTMLElement | null => {
      const row = rowOf(target);
      return row?.dataset['pinned'] === undefined ? null : row;
    };
    on('keydown', onKey);
    on('dragstart', (event) => {
      dragged = pinnedRow(event.target);
    });
    on('dragover', (event) => {
      const row = pinnedRow(event.target);
      if (!dragged || !row) return mark(null);
      event.preventDefault();
      return mark(row, isAfter(row, event) ? 'after' : 'before');
    });
    on('drop', (event) => {
      const row = pinnedRow(event.target);
      if (!dragged || !row) return;
      event.preventDefault();
      drop(dragged.dataset['chat'] ?? '', row.dataset['chat'] ?? '', isAfter(row, event));
    });
    on('dragend', () => {
      mark(null);
      dragged = null;
    });
    return () => {
      mark(null);
      end.abort();
    };
  }, [list, isOn]);

  return { move, note };
}
