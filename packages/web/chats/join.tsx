import { ApiError } from '@parley/client';
import { UsersRound } from 'lucide-react';
import { chatRoute, navigate } from '../app/route.ts';
import { useSession } from '../app/session.ts';
import { useSubmit } from '../app/use-submit.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import styles from './join.module.css';

/** Asks before it takes somebody into the group of an invite: to open a link is not to agree. */
export default function Join({ token }: { token: string }) {
  const { client, store, username } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const error = errorBut();

  const join = () =>
    submit(
      async () => {
        const chat = await client.call('joinChat', { token });
        store.putChat(chat);
        navigate(chatRoute(chat.id), { replace: true });
      },
      (failure) => {
        const text = refusalOf(failure);
        return text === null ? null : { field: null, text };
      },
    );

  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <span className={styles['icon']}>
          <UsersRound size={30} aria-hidden />
        </span>
        <h1>You are invited to a group</h1>
        <p className={styles['lead']}>
          Its members will see that @{username} has joined, and you will see all that was said there.
        </p>
        <Problem text={error} />
        <div className={styles['buttons']}>
          <Button onClick={() => navigate({ name: 'home' }, { replace: true })}>Not now</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void join()}>
            Join the group
          </Button>
        </div>
      </div>
    </main>
  );
}

function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'not_found')
    return 'This invite does not work any more: it has expired, was used up or was taken back. Ask for a new one.';
  if (error.code === 'invalid_argument') return 'There is no room in this group, or the link is damaged.';
  return error.code === 'forbidden' ? 'This account cannot join groups by a link.' : null;
}
