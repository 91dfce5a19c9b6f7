import { ArrowDown, ArrowUp, AtSign } from 'lucide-react';
import { type ReactNode, useState } from 'react';
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
        <RoundButton
          place="toMention"
          label={t('Jump to next mention')}
          icon={<AtSign />}
          count={mentions}
          onClick={onMention}
        />
      )}
      {isAtEnd ? null : (
        <RoundButton place="toEnd" label={t('Jump to latest')} icon={<ArrowDown />} count={unread} onClick={onEnd} />
      )}
    </>
  );
}

interface RoundButtonProps {
  place: 'toMention' | 'toEnd';
  label: string;
  icon: ReactNode;
  /** Of unread messages, shown at its edge. */
  count: number;
  onClick: () => void;
}

function RoundButton({ place, label, icon, count, onClick }: RoundButtonProps) {
  const number = count > 99 ? '99+' : `${count}`;
  return (
    <button
      type="button"
      className={styles[place]}
      onClick={onClick}
      aria-label={count > 0 ? t('{label}, {count, number} unread', { label, count: number }) : label}
      title={label}
    >
      {icon}
      {count > 0 ? <span>{number}</span> : null}
    </button>
  );
}
