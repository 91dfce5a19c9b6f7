import { ApiError } from '@parley/client';
import type { Chat, StoredMessage } from '@parley/client/store';
import { ArrowDownToLine, RefreshCw, Square } from 'lucide-react';
import { memo, type ReactNode, useEffect, useState } from 'react';
import { errorText } from '../../words/error-text.ts';
import { useSession } from '../../session/session.ts';
import { useIsAway } from '../../session/use-is-away.ts';
import styles from './reply-actions.module.css';
import { isCutOff } from './may-continue.ts';
import { useMayRetry } from './use-may-retry.ts';
import { t } from '../../words/t.ts';

interface ReplyActionsProps {
  chat: Chat;
  message: StoredMessage;
}

/** Below an agent's reply: Stop while it streams, Continue if it was cut off, Answer again if it was stopped or failed. */
export const ReplyActions = memo(function ReplyActions({ chat, message }: ReplyActionsProps) {
  if (message.status === 'streaming') return <StopReply message={message} />;
  return isCutOff(message) ? (
    <ContinueReply chat={chat} message={message} />
  ) : (
    <RetryReply chat={chat} message={message} />
  );
});

function StopReply({ message }: { message: StoredMessage }) {
  // Without a connection it is not known whether the reply goes on.
  return useIsAway() ? <p className="ui-small">{t('Waiting for the connection …')}</p> : <StopHere message={message} />;
}

function StopHere({ message: { id: message_id, conversation_id: chat_id, sender } }: { message: StoredMessage }) {
  const { client } = useSession();
  const [refusals, setRefusals] = useState(0);
  const { username } = sender;
  // The agent refuses a stop with an alert of any level; an alert with a message_id is about a failed reply (WEB-61).
  useEffect(
    () =>
      client.on('alert', ({ from, message_id: failed }) => {
        if (from?.username === username && failed === undefined) setRefusals((count) => count + 1);
      }),
    [client, username],
  );
  return (
    <Action
      key={refusals}
      icon={<Square className={styles['square']} />}
      label={t('Stop')}
      busyLabel={t('Stopping …')}
      // Busy until the reply ends or the stop is refused.
      isOnce
      onPress={() => client.call('stopRun', { chat_id, message_id })}
    />
  );
}

/** Renders nothing if the service would refuse to continue it, as it would refuse a retry. */
function ContinueReply({ chat, message }: ReplyActionsProps) {
  const { client } = useSession();
  return useMayRetry(chat, message) ? (
    <Action
      icon={<ArrowDownToLine />}
      label={t('Continue')}
      busyLabel={t('Continuing …')}
      onPress={() => client.call('continueReply', { message_id: message.id })}
    />
  ) : null;
}

/** Renders nothing if the service would refuse the retry. */
function RetryReply({ chat, message }: ReplyActionsProps) {
  const { client } = useSession();
  return useMayRetry(chat, message) ? (
    <Action
      icon={<RefreshCw />}
      label={t('Answer again')}
      busyLabel={t('Answer again')}
      onPress={() => client.call('retryReply', { message_id: message.id })}
    />
  ) : null;
}

interface ActionProps {
  icon: ReactNode;
  label: string;
  busyLabel: string;
  isOnce?: boolean;
  onPress: () => Promise<unknown>;
}

function Action({ icon, label, busyLabel, isOnce = false, onPress }: ActionProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  async function press() {
    setIsBusy(true);
    setError(null);
    try {
      await onPress();
      if (!isOnce) setIsBusy(false);
    } catch (failure) {
      const isRefused = failure instanceof ApiError && failure.status === 403;
      setError(
        isRefused ? t('Only the person who asked for this reply or a group admin can do this.') : errorText(failure),
      );
      setIsBusy(false);
    }
  }
  return (
    <p className={styles['actions']}>
      <button type="button" className="ui-quiet" disabled={isBusy} onClick={() => void press()}>
        {icon}
        {isBusy ? busyLabel : label}
      </button>
      {error ? (
        <span className="ui-danger" role="alert">
          {error}
        </span>
      ) : null}
    </p>
  );
}
