import { classNames } from '../../browser/class-names.ts';
import { ApiError } from '@parley/client';
import type { PublicChat } from '@parley/protocol';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { shortTime } from '../../words/times.ts';
import { membersText } from '../chat/member-counts.ts';
import styles from './browse-page.module.css';
import { t } from '../../words/t.ts';

/** A public group. Joining it opens it. */
export function PublicChatRow({ chat }: { chat: PublicChat }) {
  const navigate = useNavigate();
  const { client, store } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const { id, title, description, avatar_url, participant_count, last_message_at, joined } = chat;
  const facts = [
    membersText(participant_count),
    last_message_at === undefined ? null : t('last message {time}', { time: shortTime(last_message_at) }),
  ].filter((fact) => fact !== null);

  const open = () =>
    submit(async () => {
      if (!joined) store.putChat(await client.call('joinChat', { chat_id: id }));
      navigate(chatRoute(id));
    }, refusalOf);

  return (
    <li className={styles['row']}>
      <Avatar name={title} username={id} kind="group" url={avatar_url} size={44} />
      <div className={classNames('ui-texts', styles['text'])}>
        <strong className="ui-break" dir="auto">
          {title}
        </strong>
        {description === undefined ? null : (
          <p className={styles['about']} dir="auto">
            {description}
          </p>
        )}
        <p className="ui-aside">{facts.join(' · ')}</p>
        <Problem text={errorBut()} />
      </div>
      <Button
        size="small"
        look={joined ? 'quiet' : 'primary'}
        isBusy={isBusy}
        aria-label={joined ? t('Open {title}', { title }) : t('Join {title}', { title })}
        onClick={() => void open()}
      >
        {joined ? t('Open') : t('Join')}
      </Button>
    </li>
  );
}

function refusalOf(error: unknown) {
  if (!(error instanceof ApiError)) return null;
  const texts: Partial<Record<string, string>> = {
    forbidden: t('You were removed from this group. Ask its owner or admins to add you.'),
    not_found: t('This group is no longer public.'),
    invalid_argument: t('This group is full.'),
  };
  const text = texts[error.code];
  return text === undefined ? null : { field: null, text };
}
