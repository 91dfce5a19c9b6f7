import { ApiError } from '@parley/client';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { signOut, useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { PageCard } from '../../ui/page-card.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './join.module.css';
import { PersonLine } from '../people/person-line.tsx';

/**
 * Asks before it takes somebody into the group of an invite: to open a link is not to agree. The service tells nothing
 * of the group to whoever is not in it (INVITE-3).
 */
export default function Join({ token }: { token: string }) {
  const navigate = useNavigate();
  const { client, store } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const leave = () => navigate({ name: 'home' }, { replace: true });
  const [isOver, setIsOver] = useState(false);

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

  if (isOver)
    return (
      <PageCard icon={<UsersRound />} title="This invite no longer works">
        <p>It has expired, was used up or was taken back. Ask whoever gave it to you for a new one.</p>
        <Button look="primary" onClick={leave}>
          Go to the start
        </Button>
      </PageCard>
    );
  return (
    <PageCard icon={<UsersRound />} title="You are invited to a group">
      <p>
        Once you join you see its name, its members and all that was said there. The members find you in their list; no
        message announces you.
      </p>
      <SignedIn />
      <Problem text={errorBut()} />
      <div className={styles['buttons']}>
        <Button onClick={leave}>Not now</Button>
        <Button look="primary" isBusy={isBusy} onClick={() => void join()}>
          Join the group
        </Button>
      </div>
    </PageCard>
  );
}

/** As whom one would join. */
function SignedIn() {
  const session = useSession();
  const me = useCell(session.store.me);
  const { username } = session;
  return (
    <div className={styles['who']}>
      <PersonLine who={{ kind: 'human', display_name: username, ...me, username }} note="signed in">
        <Button size="small" look="quiet" onClick={() => void signOut(session)}>
          Not you?
        </Button>
      </PersonLine>
    </div>
  );
}

function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'invalid_argument') return 'There is no room in this group, or the link is damaged.';
  return error.code === 'forbidden' ? 'This account cannot join groups by a link.' : null;
}
