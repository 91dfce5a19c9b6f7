import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import styles from './timeline-view.module.css';
import { t } from '../../words/t.ts';

interface TimelineButtonsProps {
  isAtEnd: boolean;
  unread: number;
  /** The first unread message is above the visible ones. */
  isUnreadAbove: boolean;
  onEnd: () => void;
  onUnread: () => void;
}

/** Buttons over the messages: jump to the newest and to the first unread message. */
export function TimelineButtons({ isAtEnd, unread, isUnreadAbove, onEnd, onUnread }: TimelineButtonsProps) {
  const [isSeen, setIsSeen] = useState(false);
  // After reaching the end the user has seen everything.
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
          {t('New messages')}
        </button>
      ) : null}
      {isAtEnd ? null : (
        <button
          type="button"
          className={styles['toEnd']}
          onClick={onEnd}
          aria-label={t('Jump to latest')}
          title={t('Jump to latest')}
        >
          <ArrowDown />
          {unread > 0 ? <span>{unread > 99 ? '99+' : unread}</span> : null}
        </button>
      )}
    </>
  );
}
