import { classNames } from '../../browser/class-names.ts';
import { t } from '../../words/t.ts';
import styles from './chat-list.module.css';

interface UnreadCountProps {
  count: number;
  mentions: number;
  /** Unread without a count: a dot. */
  isMarked: boolean;
  markLabel: string;
  isMuted: boolean;
}

/** What is unread in a conversation or a part of it: mentions, and the number of messages or a dot. */
export function UnreadCount({ count, mentions, isMarked, markLabel, isMuted }: UnreadCountProps) {
  return (
    <>
      {mentions > 0 ? (
        <span className="ui-count" role="img" aria-label={mentionsLabel(mentions)}>
          @
        </span>
      ) : null}
      {count > 0 ? (
        <span
          className={classNames('ui-count', isMuted && 'ui-muted')}
          aria-label={t('{count, number} unread', { count })}
        >
          {count > 999 ? '999+' : count}
        </span>
      ) : isMarked ? (
        <span
          className={classNames('ui-count', styles['marked'], isMuted && 'ui-muted')}
          role="img"
          aria-label={markLabel}
        />
      ) : null}
    </>
  );
}

const mentionsLabel = (count: number): string => t('{count, plural, one {# mention} other {# mentions}}', { count });
