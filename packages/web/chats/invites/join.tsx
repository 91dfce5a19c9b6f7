import { ApiError } from '@parley/client';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { signOut, useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { PageCard } from '../../ui/layout/page-card.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { InvitedGroup, OVER, useInvitePreview, WHAT_JOINING_MEANS } from './invite-preview.tsx';
import styles from './join.module.css';
import { PersonLine } from '../people/person-line.tsx';
import { t } from '../../words/t.ts';

/** Asks before joining the group of an invite: opening a link is not consent. */
export default function Join({ token }: { token: string }) {
  const navigate = useNavigate();
  const { client, store } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const leave = () => navigate({ name: 'home' }, { replace: true });
  const [isOver, setIsOver] = useState(false);
  const preview = useInvitePreview(token);

  const join = () =>
    submit(
      async () => {
        const chat = await client.call('joinChat', { token });
        store.putChat(chat);
        navigate(chatRoute(chat.id), { replace: true });
      },
      (failure) => {
        setIsOver(failure instanceof ApiError && failure.code === 'not_found');
        const text = refusalOf(failure);
        return text === null ? null : { field: null, text };
      },
    );

  if (isOver || preview === 'over')
    return (
      <PageCard icon={<UsersRound />} title={t('This invite no longer works')}>
        <p>{OVER}</p>
        <Button look="primary" onClick={leave}>
          {t('Go to the start')}
        </Button>
      </PageCard>
    );
  return (
    <PageCard icon={<UsersRound />} title={t('You’re invited to a group')}>
      {preview ? <InvitedGroup preview={preview} /> : null}
      <p>{WHAT_JOINING_MEANS}</p>
      <SignedIn />
      <Problem text={errorBut()} />
      <div className={styles['buttons']}>
        <Button onClick={leave}>{t('Not now')}</Button>
        <Button look="primary" isBusy={isBusy} onClick={() => void join()}>
          {t('Join the group')}
        </Button>
      </div>
    </PageCard>
  );
}

/** The account that would join. */
function SignedIn() {
  const session = useSession();
  const me = useCell(session.store.me);
  const { username } = session;
  return (
    <div className={styles['who']}>
      <PersonLine who={{ kind: 'human', display_name: username, ...me, username }} note={t('signed in')}>
        <Button size="small" look="quiet" onClick={() => void signOut(session)}>
          {t('Not you?')}
        </Button>
      </PersonLine>
    </div>
  );
}

function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'invalid_argument') return t('This group is full, or the link is incomplete. Ask for a new link.');
  return error.code === 'forbidden' ? t('This account can’t join groups with a link.') : null;
}
