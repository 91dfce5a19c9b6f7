// The scrolling list of messages. May import: messages/message and the rooms below messages; its folder scrolling/ imports
// no other file of this folder.
import type { Chat, Timeline } from '@parley/client/store';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useComposings } from '../../composer/composing/composing.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Announcer } from './announcer.tsx';
import { EmptyTimeline } from './empty-timeline.tsx';
import { gatherJoins } from './join-runs.ts';
import { useReadMarker, useUnreadAtOpening } from './scrolling/read-marker.ts';
import { ThreadNews } from './thread-news.tsx';
import { TimelineButtons } from './timeline-buttons.tsx';
import { TimelineList } from './timeline-list.tsx';
import { FirstPage, MorePages } from './timeline-loading.tsx';
import styles from './timeline-view.module.css';
import { useEdited } from './scrolling/use-edited.ts';
import { useHighlight } from './scrolling/use-highlight.ts';
import { useMentions } from './scrolling/use-mentions.ts';
import { useHold } from './scrolling/use-hold.ts';
import { useOpening } from './scrolling/use-opening.ts';
import { usePaging } from './scrolling/use-paging.ts';
import { useRoving } from './scrolling/use-roving.ts';
import { useStayAtEnd } from './scrolling/use-stay-at-end.ts';
import { useToEnd } from './scrolling/use-to-end.ts';
import { useVirtualRows } from './scrolling/use-virtual-rows.ts';
import { t } from '../../words/t.ts';

interface TimelineViewProps {
  chat: Chat;
  timeline: Timeline;
  /** The message, or the time of one, to scroll to and highlight for a moment. A Date must stay the same object. */
  target: string | Date | null;
  /** Called once the target was shown. */
  onTarget: () => void;
}

/** The messages of a timeline: where it opens, what it loads, and how the keyboard moves in it. */
export function TimelineView({ chat, timeline, target, onTarget }: TimelineViewProps) {
  const store = useStore();
  const { rows, isLoaded, hasOlder, hasNewer, loading } = useCell(timeline);
  const { ids, joinsBefore, rowOf } = useMemo(() => gatherJoins(rows, (id) => store.message(id).get()), [store, rows]);
  const { key } = timeline;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<Virtualizer<HTMLDivElement, Element>>(null);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const unread = useUnreadAtOpening(chat, timeline);
  const { goal, marked, go, jumpTo, toUnread } = useOpening({ chat, timeline, isLoaded, target, unread, onTarget });
  const composings = useComposings();
  const leave = useCallback(() => composings.signal('focus', timeline.key, null), [composings, timeline]);
  const roving = useRoving({ ids, scroller, virtualizer: list, onLeave: leave });
  const focused = roving.active === null ? -1 : ids.indexOf(roving.active);
  const { isHeld, onClick } = useHold(list, setIsAtEnd);
  const virtualizer = useVirtualRows({ ids, hasNewer, kept: focused, isHeld, scroller, list, onAtEnd: setIsAtEnd });
  const items = virtualizer.getVirtualItems();
  // The last row in view may be cut off: the one above it is whole.
  const lastSeen = goal === null ? undefined : ids[(virtualizer.range?.endIndex ?? 0) - 1];
  useReadMarker(chat, timeline, { isAtEnd: isAtEnd && !hasNewer, lastSeen });
  const toMention = useMentions(chat, timeline, jumpTo);

  useLayoutEffect(() => {
    if (!goal || goal.align === null) return;
    const at = goal.key === null ? -1 : ids.indexOf(rowOf(goal.key));
    if (at >= 0) virtualizer.scrollToIndex(at, { align: goal.align });
    else virtualizer.scrollToEnd();
    // Scroll to a goal only once: later messages do not move the list.
  }, [goal]);
  useHighlight(goal, scroller);
  useStayAtEnd({ isAtEnd, isLoaded, scroller, list });
  const { hasFailed, retry } = usePaging(timeline, goal, virtualizer.range);
  const toEnd = useToEnd(timeline, go);
  useEdited(timeline, go);

  if (!isLoaded) return <FirstPage timeline={timeline} />;
  const firstShown = virtualizer.range?.startIndex ?? 0;
  const firstUnread = unread.first === null ? null : rowOf(unread.first);
  const isFirstUnreadAbove = firstUnread !== null && ids.indexOf(firstUnread) < firstShown;
  return (
    <div className={styles['place']}>
      <Announcer timeline={timeline} />
      <div
        ref={scroller}
        className={styles['scroller']}
        role="log"
        aria-label={t('Messages')}
        // Announcer announces new messages once they have finished.
        aria-live="off"
        tabIndex={-1}
        onKeyDown={roving.onKeyDown}
        onClickCapture={onClick}
        data-timeline={key.thread_root_id ?? key.channel_id ?? key.chat_id}
      >
        <MorePages isLoading={loading === 'older'} onRetry={hasFailed ? retry : null} />
        {ids.length === 0 ? <EmptyTimeline chat={chat} place={key} /> : null}
        <TimelineList
          chat={chat}
          ids={ids}
          joinsBefore={joinsBefore}
          items={items}
          height={virtualizer.getTotalSize()}
          measure={virtualizer.measureElement}
          hasOlder={hasOlder}
          marked={marked}
          firstUnread={firstUnread}
          tabStop={focused >= 0 ? focused : ids.length - 1}
          onFocus={roving.onFocus}
          onJump={jumpTo}
        />
      </div>
      {isAtEnd && !hasNewer && !key.thread_root_id ? <ThreadNews chat={chat} /> : null}
      <TimelineButtons
        isAtEnd={ids.length === 0 || (isAtEnd && !hasNewer)}
        unread={chat.unread_count}
        isUnreadAbove={goal !== null && (unread.isBefore || isFirstUnreadAbove)}
        onEnd={toEnd}
        onUnread={() => void toUnread()}
        mentions={chat.unread_count > 0 ? chat.unread_mentions : 0}
        onMention={() => void toMention().catch(() => undefined)}
      />
    </div>
  );
}
