import type { Chat, StoredMessage } from '@parley/client/store';
import { lazy, memo, Suspense } from 'react';
import { DayLine } from './day-line.tsx';
import { GroupIntro } from './group-intro.tsx';
import { MessageRow, type MessageRowProps } from '../message/message-row.tsx';
import styles from '../message/message-row.module.css';
import notice from '../message/service-notice.module.css';
import { placeOf } from './timeline-rows.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { useShownVersion } from '../../session/use-shown-version.ts';
import { t } from '../../words/t.ts';

const ServiceNotice = lazy(async () => import('../message/service-notice.tsx'));

interface TimelineRowProps {
  chat: Chat;
  id: string;
  before: string | undefined;
  /** Joins right before this one, which its row shows too. */
  joinsBefore: readonly string[] | undefined;
  /** The message before it is not loaded. */
  isEdge: boolean;
  /** The group's history begins here. */
  isBeginning: boolean;
  isTarget: boolean;
  isFirstUnread: boolean;
  isTabStop: boolean;
  onJump: (place: Date) => Promise<unknown>;
}

/** Each row subscribes to its own message, so that a delta of a reply renders only its text. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { chat, id, before, joinsBefore, isEdge, isBeginning, isFirstUnread, onJump, ...marks } = props;
  const message = useMessageRow(id);
  const above = useMessageRow(before ?? '');
  if (!message) return null;
  // Of a reply with versions: the newest, at whose place another one may be shown.
  const { startsDay, isJoined } = placeOf(message, above);
  // An agent's reply to the message directly above shows no quote.
  const isAnswerToLast = message.sender.kind === 'agent' && above !== undefined && message.reply_to_id === above.id;
  return (
    <div className={styles['place']}>
      {isBeginning ? <GroupIntro chat={chat} invites /> : null}
      {startsDay && !isEdge ? <DayLine day={message.created_at} onJump={onJump} /> : null}
      {isFirstUnread ? (
        <p className={styles['new']} data-first-unread>
          {t('New messages')}
        </p>
      ) : null}
      {message.service ? (
        <Suspense fallback={<p className={notice['notice']}>{'\u00A0'}</p>}>
          <ServiceNotice chat={chat} message={message} joinsBefore={joinsBefore} isTabStop={marks.isTabStop} />
        </Suspense>
      ) : (
        <ShownVersion
          chat={chat}
          row={message}
          isJoined={isJoined && !isFirstUnread}
          hidesQuote={isAnswerToLast}
          {...marks}
        />
      )}
    </div>
  );
});

function ShownVersion({ row, ...props }: Omit<MessageRowProps, 'message'> & { row: StoredMessage }) {
  const { message, isLoading } = useShownVersion(row);
  return <MessageRow {...props} message={message} isLoadingVersion={isLoading} />;
}
