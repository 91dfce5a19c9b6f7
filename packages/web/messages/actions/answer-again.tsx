import type { Chat, Store, StoredMessage } from '@parley/client/store';
import { afterMeasuring } from '@parley/react';
import { RefreshCw, X } from 'lucide-react';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { useStreaming } from '../../composer/composing/use-streaming.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { errorText } from '../../words/error-text.ts';
import { shownName } from '../../words/shown-name.ts';
import styles from './reply-actions.module.css';
import { mayRetry } from './use-may-retry.ts';
import { t } from '../../words/t.ts';

interface AnswerAgainProps {
  chat: Chat;
  /** A message of the user. */
  message: StoredMessage;
}

/** Below a message that the user has edited on this page: offers to have agents answer the new text. */
export function AnswerAgain(props: AnswerAgainProps) {
  const { edited } = useSession();
  const isEdited = useSyncExternalStore(edited.subscribe, () => edited.has(props.message.id));
  return isEdited ? <Offer {...props} /> : null;
}

function Offer({ chat, message }: AnswerAgainProps) {
  const { client, store, edited, username } = useSession();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { channel_id, thread_root_id } = message;
  const timeline = store.timeline({ chat_id: chat.id, channel_id, thread_root_id });
  const { rows } = useCell(timeline);
  // Renders again when a reply starts or ends.
  useStreaming(timeline);
  const questionId = message.id;
  const whenShown = useCallback(
    (offer: HTMLElement | null) => {
      const row = offer?.closest('[data-index]');
      if (row && edited.takeFresh(questionId)) afterMeasuring(() => row.scrollIntoView({ block: 'nearest' }));
      return leaveFocus(offer);
    },
    [edited, questionId],
  );
  const replies = outdatedReplies(store, chat, { question: message, rows, username });
  if (replies.length === 0 && error === null) return null;

  async function answer(again: readonly StoredMessage[]) {
    // A disabled button would lose the focus.
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    const calls = again.map(({ id }) => client.call('retryReply', { message_id: id }));
    const refused = (await Promise.allSettled(calls)).find((call) => call.status === 'rejected');
    if (refused) setError(errorText(refused.reason));
    setIsBusy(false);
  }

  const button = (key: string, label: string, again: readonly StoredMessage[]) => (
    <button key={key} type="button" className="ui-quiet" aria-disabled={isBusy} onClick={() => void answer(again)}>
      <RefreshCw />
      {label}
    </button>
  );
  return (
    <div className={styles['actions']} ref={whenShown} role="group" aria-label={t('Answer again?')} data-answer-again>
      {replies.length === 0 ? null : (
        <>
          <span className={styles['question']}>{t('Answer again?')}</span>
          {replies.map((reply) => button(reply.id, shownName(reply.sender), [reply]))}
          {replies.length > 1 ? button('all', t('All'), replies) : null}
          <button
            type="button"
            className="ui-quiet"
            aria-label={t('No, keep the answers')}
            title={t('No, keep the answers')}
            onClick={decline}
          >
            <X />
          </button>
        </>
      )}
      {error === null ? null : (
        <span className="ui-danger" role="alert">
          {error}
        </span>
      )}
    </div>
  );

  function decline() {
    edited.set(message.id, false);
  }
}

/** The ref of the offer: when it goes, its focus goes to its message. */
const leaveFocus = (offer: HTMLElement | null) => () => {
  const row = offer?.contains(document.activeElement) ? offer.closest<HTMLElement>('[data-row]') : null;
  // After React has removed the offer; before, the row would not notice.
  if (row) queueMicrotask(() => row.focus());
};

interface Asked {
  question: StoredMessage;
  /** The rows of its timeline: of the versions of a reply, the newest. */
  rows: readonly string[];
  username: string;
}

/** The newest replies to a question that are older than its text, and that the service would regenerate. */
function outdatedReplies(store: Store, chat: Chat, { question, rows, username }: Asked): StoredMessage[] {
  const { id, edited_at: editedAt } = question;
  if (editedAt === undefined) return [];
  return rows.flatMap((row) => {
    const reply = store.message(row).get();
    const isReply = reply?.sender.kind === 'agent' && reply.reply_to_id === id && reply.created_at < editedAt;
    return isReply && mayRetry(store, chat, reply, username) ? [reply] : [];
  });
}
