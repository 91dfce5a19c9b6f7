import { ApiError } from '@parley/client';
import type { MessageStatus } from '@parley/protocol';
import { RefreshCw, Square } from 'lucide-react';
import { memo, useState } from 'react';
import { errorText } from '../app/error-text.ts';
import { useSession } from '../app/session.ts';
import styles from './reply-actions.module.css';

interface ReplyActionsProps {
  chatId: string;
  messageId: string;
  status: Exclude<MessageStatus, 'complete'>;
}

/** Below an agent's reply: a way to stop it while it is written, or to have it made again when it came to no good end. */
export const ReplyActions = memo(function ReplyActions({ chatId, messageId, status }: ReplyActionsProps) {
  const { client } = useSession();
  const [error, setError] = useState<string | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const ask = (call: Promise<unknown>) => {
    setIsAsked(true);
    setError(null);
    call.then(
      () => status === 'streaming' || setIsAsked(false),
      (failure: unknown) => {
        const isRefused = failure instanceof ApiError && failure.status === 403;
        setError(
          isRefused ? 'Only who asked for this reply, or a manager of the group, may do this.' : errorText(failure),
        );
        setIsAsked(false);
      },
    );
  };
  return (
    <p className={styles['actions']}>
      {status === 'streaming' ? (
        <button
          type="button"
          disabled={isAsked}
          onClick={() => ask(client.call('stopRun', { chat_id: chatId, message_id: messageId }))}
        >
          <Square className={styles['square']} />
          {isAsked ? 'Stopping …' : 'Stop'}
        </button>
      ) : (
        <button
          type="button"
          disabled={isAsked}
          onClick={() => ask(client.call('retryReply', { message_id: messageId }))}
        >
          <RefreshCw />
          Answer again
        </button>
      )}
      {error ? (
        <span className={styles['error']} role="alert">
          {error}
        </span>
      ) : null}
    </p>
  );
});
