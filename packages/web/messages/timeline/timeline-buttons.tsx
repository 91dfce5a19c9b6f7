import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import styles from './timeline-view.module.css';

interface TimelineButtonsProps {
  isAtEnd: boolean;
  unread: number;
  /** The first message that was unread stands above what is shown. */
  isUnreadAbove: boolean;
  onEnd: () => void;
  onUnread: () => void;
}

/** Over the messages: ways to the newest one, and to the first unread. */
export function TimelineButtons({ isAtEnd, unread, isUnreadAbove, onEnd, onUnread }: TimelineButtonsProps) {
  const [isSeen, setIsSeen] = useState(false);
  // Once at the end, and back above it, all was seen.
  if (isAtEnd && !isUnreadAbove && !isSeen) setIsSeen(true);
  return (
    <>
      {isUnreadAbove && !isSeen ? (
        <button
          type="button"
          className={styles['toUnread']}
          onClick={() => {
            setIsSeen(true);
            onUnread();
          }}
        >
          <ArrowUp />
          New messages
        </button>
      ) : null}
      {isAtEnd ? null : (
        <button
          type="button"
          className={styles['toEnd']}
          onClick={onEnd}
          aria-label="To the newest message"
          title="To the newest message"
        >
          <ArrowDown />
          {unread > 0 ? <span>{unread > 99 ? '99+' : unread}</span> : null}
        </button>
      )}
    </>
  );
}
