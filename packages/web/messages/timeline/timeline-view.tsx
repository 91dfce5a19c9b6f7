// The scrolling list of messages. May import: messages/message and the rooms below messages.
import type { Chat, Timeline } from '@parley/client/store';
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useCell } from '../../session/use-cell.ts';
import { useComposings, useSignal } from '../../composer/composing/composing.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyTimeline } from './empty-timeline.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Announcer } from './announcer.tsx';
import { useReadMarker } from './read-marker.ts';
import { ThreadNews } from './thread-news.tsx';
import { TimelineButtons } from './timeline-buttons.tsx';
import { TimelineRow } from './timeline-row.tsx';
import styles from './timeline-view.module.css';
import { useOpening } from './use-opening.ts';
import { usePaging } from './use-paging.ts';
import { useRoving } from './use-roving.ts';
import { useHighlight } from './use-highlight.ts';

interface TimelineViewProps {
  chat: Chat;
  timeline: Timeline;
  /** The message to scroll to and highlight for a moment. */
  targetId: string | null;
  /** Called once the target was shown. */
  onTarget: () => void;
}

const ESTIMATED_ROW = 64;
/** Distance from the bottom, in pixels, that still counts as the bottom. */
const AT_END = 60;

/** The messages of a timeline. Follows new ones only at the bottom; loading older pages does not move it. */
export function TimelineView({ chat, timeline, targetId, onTarget }: TimelineViewProps) {
  const { ids, isLoaded, hasOlder, hasNewer, loading, error } = useCell(timeline);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<Virtualizer<HTMLDivElement, Element>>(null);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const unread = useReadMarker(chat, timeline, isAtEnd && !hasNewer);
  const { goal, marked, go, jumpTo, toUnread } = useOpening({ chat, timeline, isLoaded, targetId, unread, onTarget });
  const composings = useComposings();
  const leave = useCallback(() => composings.signal('focus', timeline.key, null), [composings, timeline]);
  const roving = useRoving({ ids, scroller, virtualizer: list, onLeave: leave });
  const kept = roving.active === null ? -1 : ids.indexOf(roving.active);

  // Do not follow pages that are loaded at the end: they are not new messages.
  const wasWhole = useRef(!hasNewer);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_ROW,
    getItemKey: useCallback((at: number) => ids[at] ?? at, [ids]),
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        // Keep the focused row mounted.
        return kept < 0 || shown.includes(kept) ? shown : [...shown, kept].toSorted((a, b) => a - b);
      },
      [kept],
    ),
    overscan: 6,
    paddingStart: 16,
    paddingEnd: 12,
    scrollPaddingStart: 56,
    anchorTo: 'end',
    followOnAppend: !hasNewer && wasWhole.current,
    scrollEndThreshold: AT_END,
    onChange: (instance) => setIsAtEnd(instance.isAtEnd(AT_END)),
  });
  // A height change above the visible area never moves it, in either scroll direction.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _delta, instance) => {
    const offset = instance.scrollOffset ?? 0;
    return instance.itemSizeCache.has(item.key) ? item.end <= offset : item.start < offset;
  };
  list.current = virtualizer;
  useEffect(() => {
    wasWhole.current = !hasNewer;
  }, [hasNewer]);
  const items = virtualizer.getVirtualItems();

  useLayoutEffect(() => {
    if (!goal || goal.align === null) return;
    const at = goal.key === null ? -1 : ids.indexOf(goal.key);
    if (at >= 0) virtualizer.scrollToIndex(at, { align: goal.align });
    else virtualizer.scrollToEnd();
    // Scroll to a goal only once: later messages do not move the list.
  }, [goal]);
  useHighlight(goal, scroller);

  // Stay at the end when the composer grows, a keyboard opens or the window shrinks.
  const wasAtEnd = useRef(false);
  wasAtEnd.current = isAtEnd;
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      if (wasAtEnd.current) list.current?.scrollToEnd();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLoaded]);

  const first = virtualizer.range?.startIndex ?? 0;
  const { hasFailed, retry } = usePaging(timeline, goal, virtualizer.range);

  const toEnd = useCallback(async () => {
    go(null);
    if (timeline.get().hasNewer) await timeline.jumpToNewest();
    go({ key: null, align: 'start' });
  }, [timeline, go]);
  useSignal(
    'sent',
    timeline.key,
    useCallback(() => void toEnd(), [toEnd]),
  );

  if (!isLoaded && error)
    return (
      <EmptyState title="Couldn’t load the messages. Check your connection and try again.">
        <Button onClick={() => void timeline.jumpToNewest()}>Try again</Button>
      </EmptyState>
    );
  if (!isLoaded) return <EmptyState icon={<Spinner label="Loading messages" />} title="" />;
  const tabStop = kept >= 0 ? kept : ids.length - 1;
  return (
    <div className={styles['place']}>
      <Announcer timeline={timeline} />
      <div
        ref={scroller}
        className={styles['scroller']}
        role="log"
        aria-label="Messages"
        // Announcer announces new messages once they have finished.
        aria-live="off"
        tabIndex={-1}
        onKeyDown={roving.onKeyDown}
        data-timeline={timeline.key.thread_root_id ?? timeline.key.channel_id ?? timeline.key.chat_id}
      >
        {loading === 'older' ? (
          <div className={styles['loading']}>
            <Spinner label="Loading older messages" />
          </div>
        ) : null}
        {hasFailed ? (
          <div className={styles['failed']} role="alert">
            Couldn’t load these messages.
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          </div>
        ) : null}
        {ids.length === 0 ? <EmptyTimeline chat={chat} isThread={timeline.key.thread_root_id !== null} /> : null}
        <div className={styles['all']} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className={styles['row']}
              style={{ transform: `translateY(${item.start}px)` }}
              onFocus={() => roving.onFocus(item.index)}
            >
              <TimelineRow
                chat={chat}
                id={ids[item.index] ?? ''}
                before={ids[item.index - 1]}
                isEdge={item.index === 0 && hasOlder}
                isTarget={ids[item.index] === marked}
                isFirstUnread={ids[item.index] === unread.first}
                isTabStop={item.index === tabStop}
                onJump={jumpTo}
              />
            </div>
          ))}
        </div>
      </div>
      {isAtEnd && !hasNewer && !timeline.key.thread_root_id ? <ThreadNews chat={chat} /> : null}
      <TimelineButtons
        isAtEnd={ids.length === 0 || (isAtEnd && !hasNewer)}
        unread={chat.unread_count}
        isUnreadAbove={
          goal !== null && (unread.isBefore || (unread.first !== null && ids.indexOf(unread.first) < first))
        }
        onEnd={() => void toEnd()}
        onUnread={() => void toUnread()}
      />
    </div>
  );
}
