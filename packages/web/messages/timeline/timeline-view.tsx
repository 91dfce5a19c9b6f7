// The scrolling list of messages. May import: messages/message and the rooms below messages; its folder scrolling/ imports
// no other file of this folder.
import type { Chat, StoredMessage, Timeline } from '@parley/client/store';
import { useTimelineView } from '@parley/react';
import { useCallback, useMemo } from 'react';
import { useComposings } from '../../composer/composing/composing.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Announcer } from './announcer.tsx';
import { EmptyTimeline } from './empty-timeline.tsx';
import { gatherJoins } from './join-runs.ts';
import { ThreadNews } from './thread-news.tsx';
import { TimelineButtons } from './timeline-buttons.tsx';
import { TimelineList } from './timeline-list.tsx';
import { FirstPage, MorePages } from './timeline-loading.tsx';
import styles from './timeline-view.module.css';
import { useEdited } from './scrolling/use-edited.ts';
import { useHighlight } from './scrolling/use-highlight.ts';
import { useMentions } from './scrolling/use-mentions.ts';
import { t } from '../../words/t.ts';

/** The second line above the composer covers this much (WEB-110). */
const COVERED_END = 26;
const notThere = { text: t('That message was deleted.'), isError: false };
const notLoaded = { text: t('Couldn’t load that message. Try again in a moment.'), isError: true };

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
  const { store, username: me, looks } = useSession();
  const composings = useComposings();
  const { rows, isLoaded, hasOlder, loading } = useCell(timeline);
  const { ids, joinsBefore, rowOf } = useMemo(() => gatherJoins(rows, (id) => store.message(id).get()), [store, rows]);
  const { key } = timeline;
  const onLeave = useCallback(() => composings.signal('focus', key, null), [composings, key]);
  const onJump = useCallback((message: StoredMessage) => looks.look(message), [looks]);
  const onMiss = useCallback(
    (error: Error | null) => composings.signal('note', key, error ? notLoaded : notThere),
    [composings, key],
  );
  const on = { onTarget, onJump, onMiss, onLeave };
  const view = useTimelineView({ chat, timeline, me, ids, rowOf, target, paddingEnd: COVERED_END, ...on });
  const { goal, isAtEnd, jumpTo, scroller } = view;
  useHighlight(goal, scroller);
  useEdited(timeline, view.go);
  const toMention = useMentions(chat, timeline, jumpTo);

  if (!isLoaded) return <FirstPage timeline={timeline} />;
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
        onKeyDown={view.onKeyDown}
        onClickCapture={view.onClick}
        data-timeline={key.thread_root_id ?? key.channel_id ?? key.chat_id}
      >
        <MorePages isLoading={loading === 'older'} onRetry={view.hasFailed ? view.retry : null} />
        {ids.length === 0 ? <EmptyTimeline chat={chat} place={key} /> : null}
        <TimelineList
          chat={chat}
          ids={ids}
          joinsBefore={joinsBefore}
          items={view.items}
          height={view.height}
          measure={view.measure}
          hasOlder={hasOlder}
          isOfGroup={chat.kind === 'group' && key.thread_root_id === null && key.channel_id === null}
          marked={view.marked}
          firstUnread={view.firstUnread}
          tabStop={view.tabStop}
          onFocus={view.onFocus}
          onJump={jumpTo}
        />
      </div>
      {isAtEnd && !key.thread_root_id ? <ThreadNews chat={chat} /> : null}
      <TimelineButtons
        isAtEnd={ids.length === 0 || isAtEnd}
        unread={chat.unread_count}
        isUnreadAbove={view.isUnreadAbove}
        onEnd={view.toEnd}
        onUnread={() => void view.toUnread()}
        mentions={chat.unread_count > 0 ? chat.unread_mentions : 0}
        onMention={() => void toMention().catch(() => undefined)}
      />
    </div>
  );
}
