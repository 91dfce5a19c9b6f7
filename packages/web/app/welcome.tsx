import { ApiError } from '@parley/client';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { errorText } from './error-text.ts';
import { chatRoute, navigate } from './route.ts';
import { guest, type Session, signIn, signUp, wasUsed } from './session.ts';
import styles from './welcome.module.css';

type Mode = 'sign-in' | 'sign-up';

/** A newcomer begins where somebody answers. */
async function openGuide({ client }: Session): Promise<void> {
  const chats = await client.api.getChats({ limit: 1 }).catch(() => undefined);
  const [first] = chats?.items ?? [];
  if (first) navigate(chatRoute(first.id));
}

/** The door: an account is made, or opened. */
export function Welcome({ onSession }: { onSession: (session: Session) => void }) {
  // A newcomer has nothing to sign in with.
  const [mode, setMode] = useState<Mode>(() => (wasUsed() ? 'sign-in' : 'sign-up'));
  const [mayJoin, setMayJoin] = useState(true);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isNew = mode === 'sign-up' && mayJoin;

  useEffect(() => {
    guest.getServerInfo().then(
      (info) => setMayJoin(info.sign_up !== 'closed'),
      () => undefined,
    );
  }, []);

  async function submit(element: HTMLFormElement) {
    const form = new FormData(element);
    const typed = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    setIsBusy(true);
    setError(null);
    try {
      const username = typed('username').trim().toLowerCase();
      const password = typed('password');
      const session = isNew ? await signUp(username, password, typed('name').trim()) : await signIn(username, password);
      if (isNew && location.pathname === '/') await openGuide(session);
      onSession(session);
    } catch (failure) {
      const isWrong = failure instanceof ApiError && failure.code === 'unauthenticated';
      const isTaken = failure instanceof ApiError && failure.code === 'conflict';
      setError(
        isWrong
          ? 'This name and password do not belong together.'
          : isTaken
            ? 'This username is taken.'
            : errorText(failure),
      );
      setIsBusy(false);
    }
  }

  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <img src="/icon.svg" width="52" height="52" alt="" />
        <h1>Parley</h1>
        <p className={styles['lead']}>Where people and agents talk as equals.</p>
        <form
          key={isNew ? 'sign-up' : 'sign-in'}
          onSubmit={(event) => {
            event.preventDefault();
            void submit(event.currentTarget);
          }}
          className={styles['form']}
        >
          {isNew ? (
            <Field
              label="Your name (optional)"
              name="name"
              autoComplete="name"
              autoFocus
              maxLength={64}
              hint="What others see. Without one they see your username."
            />
          ) : null}
          <Field
            label="Username"
            name="username"
            autoComplete="username"
            autoFocus={!isNew}
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={32}
            hint={isNew ? 'Small letters, digits and _.' : undefined}
          />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
            minLength={isNew ? 8 : 1}
            hint={isNew ? 'At least 8 characters.' : undefined}
          />
          <p className={styles['error']} role="alert">
            {error}
          </p>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isNew ? 'Create account' : 'Sign in'}
          </Button>
        </form>
        {mayJoin ? (
          <p className={styles['other']}>
            {isNew ? 'You have an account?' : 'New here?'}{' '}
            <button type="button" onClick={() => setMode(isNew ? 'sign-in' : 'sign-up')}>
              {isNew ? 'Sign in' : 'Create an account'}
            </button>
          </p>
        ) : null}
      </div>
    </main>
  );
}
