import { ArrowDown, ArrowUp, AtSign } from 'lucide-react';
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
  mentions: number;
  onMention: () => void;
}

/** Buttons over the messages: jump to the newest, to the first unread message, and to the next mention. */
export function TimelineButtons(props: TimelineButtonsProps) {
  const { isAtEnd, unread, isUnreadAbove, onEnd, onUnread, mentions, onMention } = props;
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
      {isAtEnd || mentions === 0 ? null : (
        <button
          type="button"
          className={styles['toMention']}
          onClick={onMention}
          aria-label="Jump to next mention"
          title="Jump to next mention"
        >
          <AtSign />
          <span>{mentions > 99 ? '99+' : mentions}</span>
        </button>
      )}
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
