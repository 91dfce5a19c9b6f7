// How a timeline is shown, without what it looks like: where it opens, what it follows, loads and marks as read, and how the
// keyboard moves in it. A Timeline of this package and that of the web app are made of it.
import type { Chat, Timeline } from '@parley/client/store';
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useCell } from '../use-cell.ts';
import { type Unread, useHasCaughtUp, useReadMarker, useUnreadAtOpening } from './read-marker.ts';
import { useHold } from './use-hold.ts';
import { type Goal, type Target, useOpening } from './use-opening.ts';
import { usePaging } from './use-paging.ts';
import { useRoving } from './use-roving.ts';
import { useSent } from './use-sent.ts';
import { useStayAtEnd } from './use-stay-at-end.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

export interface TimelineViewInput extends Target {
  chat: Chat;
  timeline: Timeline;
  /** The reader's username. */
  me: string;
  /** The keys that have a row, if not all `rows` of the timeline do; with `rowOf`. */
  ids?: readonly string[];
  /** The key at whose row a message is shown. */
  rowOf?: (key: string) => string;
  /** Called when Escape leaves the messages. */
  onLeave?: () => void;
  /** Free space below the last row, in pixels. */
  paddingEnd?: number;
}

export interface TimelineView {
  readonly ids: readonly string[];
  /** For the element that scrolls, whose rows have `data-index` and, within, an element with `data-row`. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** For the capture phase. */
  readonly onClick: (event: MouseEvent) => void;
  /** The rows to mount, each at its offset in `height`; `measure` is their ref, and `onFocus` is called with their index. */
  readonly items: readonly VirtualItem[];
  readonly height: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly onFocus: (index: number) => void;
  /** The index of the row that Tab reaches. */
  readonly tabStop: number;
  readonly isAtEnd: boolean;
  readonly unread: Unread;
  /** The key of the row of the first message that was unread at opening. */
  readonly firstUnread: string | null;
  /** That message is above the rows in sight. */
  readonly isUnreadAbove: boolean;
  readonly goal: Goal | null;
  /** Scrolls; null while the list moves: no page is loaded until it stops. */
  readonly go: (goal: Goal | null) => void;
  /** The message that is highlighted for a moment. */
  readonly marked: string | null;
  /** Resolves to false if a later jump replaced this one. */
  readonly jumpTo: (place: string | Date) => Promise<boolean>;
  readonly toUnread: () => Promise<void>;
  readonly toEnd: () => void;
  /** A page could not be loaded. */
  readonly hasFailed: boolean;
  readonly retry: () => void;
}

const itself = (key: string): string => key;

export function useTimelineView(input: TimelineViewInput): TimelineView {
  const { chat, timeline, me, rowOf = itself, onLeave, paddingEnd = 16, ...where } = input;
  const { rows, isLoaded, hasNewer } = useCell(timeline);
  const ids = input.ids ?? rows;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<Virtualizer<HTMLDivElement, Element>>(null);
  const [isAtEnd, onAtEnd] = useState(false);
  const hasCaughtUp = useHasCaughtUp();
  const unread = useUnreadAtOpening(chat, timeline, { me, hasCaughtUp });
  const { goal, marked, go, jumpTo, toUnread } = useOpening({ chat, timeline, isLoaded, unread, ...where });
  const { active, onKeyDown, onFocus } = useRoving({ ids, scroller, virtualizer: list, onLeave });
  const focused = active === null ? -1 : ids.indexOf(active);
  const { isHeld, onClick } = useHold(list, onAtEnd);
  // While the store catches up, a timeline that opens at a message stays there.
  const follows = hasCaughtUp || (goal !== null && goal.key === null);
  const rowsInput = { ids, hasNewer, follows, kept: focused, isHeld, scroller, list, onAtEnd, paddingEnd };
  const virtualizer = useVirtualRows(rowsInput);
  const { range } = virtualizer;
  // The last row in view may be cut off: the one above it is whole.
  const lastSeen = goal === null ? undefined : ids[(range?.endIndex ?? 0) - 1];
  useReadMarker(chat, timeline, { me, hasCaughtUp, isAtEnd: isAtEnd && !hasNewer, lastSeen });

  useLayoutEffect(() => {
    if (!goal || goal.align === null) return;
    const at = goal.key === null ? -1 : ids.indexOf(rowOf(goal.key));
    if (at >= 0) virtualizer.scrollToIndex(at, { align: goal.align });
    else virtualizer.scrollToEnd();
    // Scroll to a goal only once: later messages do not move the list.
  }, [goal]);
  useStayAtEnd({ isAtEnd, isLoaded, scroller, list });
  const { hasFailed, retry } = usePaging(timeline, goal, range);
  const toEnd = useCallback(() => {
    const load = async (): Promise<void> => {
      go(null);
      if (timeline.get().hasNewer) await timeline.jumpToNewest();
      go({ key: null, align: 'start' });
    };
    void load();
  }, [timeline, go]);
  useSent(timeline, toEnd);

  const firstUnread = unread.first === null ? null : rowOf(unread.first);
  const isFirstAbove = firstUnread !== null && ids.indexOf(firstUnread) < (range?.startIndex ?? 0);
  return {
    ids,
    scroller,
    onKeyDown,
    onClick,
    items: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    onFocus,
    tabStop: focused >= 0 ? focused : ids.length - 1,
    isAtEnd: isAtEnd && !hasNewer,
    unread,
    firstUnread,
    isUnreadAbove: goal !== null && (unread.isBefore || isFirstAbove),
    goal,
    go,
    marked,
    jumpTo,
    toUnread,
    toEnd,
    hasFailed,
    retry,
  };
}
