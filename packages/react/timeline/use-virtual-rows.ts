import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

interface VirtualRowsInput {
  ids: readonly string[];
  hasNewer: boolean;
  /** What comes at the end is new, and the reader is to see it: the list follows it if it is at its end. */
  follows: boolean;
  /** The index of a row that stays mounted wherever the user scrolls; -1 for none. */
  kept: number;
  /** A click unfolds something: the rows stay where they are, also at the end. */
  isHeld: RefObject<boolean>;
  scroller: RefObject<HTMLDivElement | null>;
  /** Set to the virtualizer, for handlers made before it. */
  list: RefObject<Virtualizer<HTMLDivElement, Element> | null>;
  onAtEnd: (isAtEnd: boolean) => void;
  /** Free space below the last row, in pixels. */
  paddingEnd: number;
}

const ESTIMATED_ROW = 64;
/** Distance from the bottom, in pixels, that still counts as the bottom. */
const AT_END = 60;

/** Mounts only the rows in sight. Follows new messages at the bottom; loading older pages does not move the list. */
export function useVirtualRows(input: VirtualRowsInput): Virtualizer<HTMLDivElement, Element> {
  const { ids, hasNewer, follows, kept, isHeld, scroller, list, onAtEnd, paddingEnd } = input;
  // As it was before these rows came: a page that is loaded at the end holds no new messages, and neither does what the
  // store catches up with.
  const mayFollow = useRef(false);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_ROW,
    getItemKey: useCallback((at: number) => ids[at] ?? at, [ids]),
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        return kept < 0 || shown.includes(kept) ? shown : [...shown, kept].toSorted((a, b) => a - b);
      },
      [kept],
    ),
    overscan: 6,
    paddingStart: 16,
    paddingEnd,
    scrollPaddingStart: 56,
    anchorTo: isHeld.current ? 'start' : 'end',
    followOnAppend: !hasNewer && mayFollow.current,
    scrollEndThreshold: AT_END,
    // A row that grows is measured before the list has its new height: where all rows fit, it is at the end nevertheless.
    onChange: (instance) =>
      onAtEnd(instance.isAtEnd(AT_END) || instance.getTotalSize() <= (instance.scrollRect?.height ?? 0)),
  });
  // A height change above the visible area never moves it, in either scroll direction.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _delta, instance) => {
    const offset = instance.scrollOffset ?? 0;
    return instance.itemSizeCache.has(item.key) ? item.end <= offset : item.start < offset;
  };
  list.current = virtualizer;
  useEffect(() => {
    mayFollow.current = !hasNewer && follows;
  }, [hasNewer, follows]);
  return virtualizer;
}
