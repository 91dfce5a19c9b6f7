import type { Chat, StoredMessage } from '@parley/client/store';
import { Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { errorText } from '../../words/error-text.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { useAsker } from '../actions/use-may-retry.ts';
import styles from './message-text.module.css';

/** Whether a reply has paused until people have decided (WAIT-1). */
export const isWaiting = ({ status, finish_reason }: StoredMessage): boolean =>
  status === 'complete' && finish_reason === 'waiting';

/** Says for whom a reply waits, leads to the first decision, and lets the person who asked end the reply. */
export function WaitingNote({ chat, message }: { chat: Chat; message: StoredMessage }) {
  const navigate = useNavigate();
  const { client, store, username, may } = useSession();
  const asker = useAsker(message);
  const [error, setError] = useState<string | null>(null);
  const { id: message_id, waiting_for: id = '', channel_id, thread_root_id } = message;
  const decision = useMessageRow(id);
  useEffect(() => {
    // A private decision is not found.
    if (id !== '' && !decision) void store.loadMessages([id]).catch(() => undefined);
  }, [store, id, decision]);
  const show = () =>
    navigate(chatRoute(chat.id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id }), {
      replace: true,
    });
  const stop = () => {
    setError(null);
    client.call('stopRun', { chat_id: chat.id, message_id }).catch((failure: unknown) => setError(errorText(failure)));
  };
  return (
    <div className={styles['note']} data-waiting>
      <Hand />
      <div>
        {waitingText(chat, asker, username)}{' '}
        {decision ? (
          <button type="button" onClick={show}>
            {asker === username ? t('Go to the question') : t('Show the question')}
          </button>
        ) : null}{' '}
        {asker === username && may('stopRun') ? (
          <button type="button" onClick={stop}>
            {t('Stop this reply')}
          </button>
        ) : null}
        <p className="ui-error" role="alert">
          {error}
        </p>
      </div>
    </div>
  );
}

function waitingText({ participants }: Chat, asker: string | null, me: string): string {
  if (asker === null) return t('Waiting for a decision');
  if (asker === me) return t('Waiting for your decision.');
  const account = participants.find(({ username }) => username === asker);
  return t('Waiting for {name} to decide.', { name: account ? shownName(account) : handleOf(asker) });
}
