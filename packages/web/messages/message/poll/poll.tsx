// A poll in place of a message's text. May import: what messages/message may.
import type { Chat, StoredMessage } from '@parley/client/store';
import type { Poll as PollFields } from '@parley/protocol';
import { Check } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { classNames } from '../../../browser/class-names.ts';
import { roleOf } from '../../../chats/chat/roles.ts';
import { nowAndWhenLive } from '../../../session/now-and-when-live.ts';
import { useSession } from '../../../session/session.ts';
import { useCell } from '../../../session/use-cell.ts';
import { Button } from '../../../ui/button.tsx';
import { errorText } from '../../../words/error-text.ts';
import { t } from '../../../words/t.ts';
import { fullTime } from '../../../words/times.ts';
import styles from './poll.module.css';
import { useIsOver } from './use-is-over.ts';

const PollVoters = lazy(async () => import('./poll-voters.tsx'));
const ClosePoll = lazy(async () => import('./close-poll.tsx'));

interface PollProps {
  chat: Chat;
  message: StoredMessage;
  poll: PollFields;
}

const votersText = (count: number): string =>
  count === 0 ? t('No votes yet') : t('{count, plural, one {# person} other {# people}} voted', { count });
const kindText = ({ is_anonymous, is_multiple }: PollFields): string =>
  is_multiple
    ? is_anonymous
      ? t('Anonymous poll, choose one or more')
      : t('Poll, choose one or more')
    : is_anonymous
      ? t('Anonymous poll, choose one')
      : t('Poll, choose one');

/** A poll: its options are buttons that set the reader's vote, with the results as bars. */
export default function Poll({ chat, message, poll }: PollProps) {
  const { username } = useSession();
  const [open, setOpen] = useState<'voters' | 'close' | null>(null);
  const isOver = useIsOver(poll);
  const { vote, choose, error } = useVote(message, poll);
  const { options, voter_count: voters } = poll;
  const isPending = message.outbox !== undefined;
  const isManager = chat.kind === 'group' && roleOf(chat, username) !== 'member';
  const mayClose = !isOver && !isPending && (message.sender.username === username || isManager);
  const close = () => setOpen(null);
  return (
    <div className={styles['poll']} role="group" aria-label={poll.question} data-text data-poll>
      <p className={styles['question']} dir="auto">
        {poll.question}
      </p>
      <p className={styles['about']}>{isOver ? t('Poll closed') : kindText(poll)}</p>
      <ul className={styles['options']}>
        {options.map(({ text, votes }, at) => {
          const share = voters === 0 ? 0 : Math.round((100 * votes) / voters);
          const isChosen = vote.includes(at);
          return (
            <li key={text}>
              <button
                type="button"
                className={classNames(styles['option'], isChosen && styles['chosen'])}
                aria-pressed={isChosen}
                aria-label={t('{option}: {count, plural, one {# vote} other {# votes}}', {
                  option: text,
                  count: votes,
                })}
                disabled={isOver || isPending}
                onClick={() => choose(at)}
              >
                <span className={styles['bar']} style={{ inlineSize: `${share}%` }} />
                <span className={styles['mark']} data-is-multiple={poll.is_multiple}>
                  {isChosen ? <Check strokeWidth={3} aria-hidden /> : null}
                </span>
                <span className={styles['words']} dir="auto">
                  {text}
                </span>{' '}
                <span className={styles['votes']}>{votes}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <div className={styles['foot']}>
        <span>{votersText(voters)}</span>
        {poll.closes_at !== undefined && !isOver ? (
          <span>{t('Ends {time}', { time: fullTime(poll.closes_at) })}</span>
        ) : null}
        {poll.is_anonymous || voters === 0 ? null : (
          <Button look="quiet" size="small" onClick={() => setOpen('voters')}>
            {t('See who voted')}
          </Button>
        )}
        {mayClose ? (
          <Button look="quiet" size="small" onClick={() => setOpen('close')}>
            {t('Close poll')}
          </Button>
        ) : null}
      </div>
      <p className="ui-error" role="alert">
        {error}
      </p>
      <Suspense fallback={null}>
        {open === 'voters' ? <PollVoters message={message} poll={poll} onClose={close} /> : null}
        {open === 'close' ? <ClosePoll message={message} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}

/** The reader's vote, and a function that chooses an option or takes it back. */
function useVote({ id, outbox }: StoredMessage, { is_multiple }: PollFields) {
  const { client, store } = useSession();
  const stored = useCell(store.pollVote(id));
  /** The vote that is being sent. */
  const [sent, setSent] = useState<readonly number[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  /** Votes are sent one after another, so that the last one counts. */
  const last = useRef(Promise.resolve());
  const isUnknown = stored === null && !outbox;
  useEffect(
    () => (isUnknown ? nowAndWhenLive(client, () => void store.loadPollVotes([id]).catch(() => undefined)) : undefined),
    [client, store, id, isUnknown],
  );
  const vote = sent ?? stored ?? [];

  function choose(option: number) {
    const others = is_multiple ? vote.filter((one) => one !== option) : [];
    const next = vote.includes(option) ? others : [...others, option];
    setSent(next);
    setError(null);
    const call = last.current.then(async () => store.vote(id, next));
    last.current = call.then(
      () => setSent((now) => (now === next ? null : now)),
      (failure: unknown) => {
        setSent((now) => (now === next ? null : now));
        setError(errorText(failure));
      },
    );
  }
  return { vote, choose, error };
}
