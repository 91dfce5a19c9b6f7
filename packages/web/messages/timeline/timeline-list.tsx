import type { Chat } from '@parley/client/store';
import type { TimelineView } from '@parley/react';
import type { JoinRuns } from './join-runs.ts';
import { TimelineRow } from './timeline-row.tsx';
import styles from './timeline-view.module.css';

interface TimelineListProps {
  chat: Chat;
  ids: readonly string[];
  joinsBefore: JoinRuns['joinsBefore'];
  /** The rows to mount; `measure` reports their heights. */
  items: TimelineView['items'];
  height: number;
  measure: (element: HTMLElement | null) => void;
  hasOlder: boolean;
  /** It is the group's own timeline, not a channel or a thread. */
  isOfGroup: boolean;
  /** The message that is highlighted for a moment. */
  marked: string | null;
  firstUnread: string | null;
  /** The index of the row that Tab reaches. */
  tabStop: number;
  onFocus: (index: number) => void;
  onJump: (place: Date) => Promise<unknown>;
}

/** The mounted rows, each at its offset in the full height of the timeline. */
export function TimelineList({ chat, ids, joinsBefore, items, height, measure, ...props }: TimelineListProps) {
  const { hasOlder, isOfGroup, marked, firstUnread, tabStop, onFocus, onJump } = props;
  return (
    <div className={styles['all']} style={{ height }}>
      {items.map((item) => (
        <div
          key={item.key}
          ref={measure}
          data-index={item.index}
          className={styles['row']}
          // Not a transform: what is sticky in a row would be placed as if the row were at the top.
          style={{ top: item.start }}
          onFocus={() => onFocus(item.index)}
        >
          <TimelineRow
            chat={chat}
            id={ids[item.index] ?? ''}
            before={ids[item.index - 1]}
            joinsBefore={joinsBefore(ids[item.index] ?? '')}
            isEdge={item.index === 0 && hasOlder}
            isBeginning={item.index === 0 && !hasOlder && isOfGroup}
            isTarget={ids[item.index] === marked}
            isFirstUnread={ids[item.index] === firstUnread}
            isTabStop={item.index === tabStop}
            onJump={onJump}
          />
        </div>
      ))}
    </div>
  );
}
