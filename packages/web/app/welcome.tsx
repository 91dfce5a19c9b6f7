import { ApiError } from '@parley/client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from '../browser/class-names.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/forms/field.tsx';
import { PasswordField } from '../ui/forms/password-field.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { type Navigate, useNavigate, useRoute } from '../browser/navigation.ts';
import { chatRoute } from '../browser/route.ts';
import { guest, type Session, signIn, signUp, wasUsed } from '../session/session.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { InvitedGroup, OVER, useInvitePreview } from '../chats/invites/invite-preview.tsx';
import { usernameFrom } from './username-from.ts';
import styles from './welcome.module.css';
import { rich, t } from '../words/t.ts';

type Mode = 'sign-in' | 'sign-up';

/** After sign-up the chat with the guide opens. */
async function openGuide({ client }: Session, navigate: Navigate): Promise<void> {
  const chats = await client.api.getChats({ limit: 1 }).catch(() => undefined);
  const [first] = chats?.items ?? [];
  if (first) navigate(chatRoute(first.id));
}

const LEAST = 8;

/** Turns an error of signUp or signIn into a text and the field to show it at; null for all other errors. */
function refusal(error: unknown): { field: string | null; text: string } | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'unauthenticated')
    return /disabled/.test(error.description)
      ? { field: null, text: t('This account is disabled. Ask the people who run this service.') }
      : { field: null, text: t('Wrong username or password. Try again.') };
  if (error.code === 'conflict') return { field: 'username', text: t('This username is taken. Try another.') };
  if (error.code !== 'invalid_argument' || error.parameters['field'] !== 'password') return null;
  return /username/.test(error.description)
    ? { field: 'password', text: t('Your password can’t be your username. Choose another.') }
    : { field: 'password', text: t('This password is too common and easy to guess. Try a few words together.') };
}

/** Sign up or sign in. */
export function Welcome({ wasEnded, onSession }: { wasEnded: boolean; onSession: (session: Session) => void }) {
  const navigate = useNavigate();
  // A new browser starts with sign-up: there is no account to sign in with yet.
  const [mode, setMode] = useState<Mode>(() => (wasUsed() ? 'sign-in' : 'sign-up'));
  const route = useRoute();
  const invite = useInvitePreview(route.name === 'join' ? route.token : null);
  const [mayJoin, setMayJoin] = useState(true);
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const isNew = mode === 'sign-up' && mayJoin;
  /** What the user has typed as a username; null while it follows the name. */
  const [username, setUsername] = useState<string | null>(null);
  const [name, setName] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const refused = errorOf('username') ?? errorOf('password');
  useEffect(() => {
    if (refused !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);

  useEffect(() => {
    guest()
      .getServerInfo()
      .then(
        (info) => setMayJoin(info.sign_up !== 'closed'),
        () => undefined,
      );
  }, []);

  async function enter(element: HTMLFormElement) {
    const form = new FormData(element);
    const typed = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    const username = typed('username').trim().toLowerCase();
    const password = typed('password');
    if (username === '') return refuse('username', t('Enter your username.'));
    if (isNew && !/^[a-z0-9_]{1,32}$/.test(username))
      return refuse('username', t('Use only the letters a to z, digits and _.'));
    if (password === '') return refuse('password', t('Enter a password.'));
    if (isNew && password.length < LEAST)
      return refuse(
        'password',
        t('Use at least {count, plural, one {# character} other {# characters}}.', { count: LEAST }),
      );
    await submit(async () => {
      const session = isNew ? await signUp(username, password, typed('name').trim()) : await signIn(username, password);
      if (isNew && location.pathname === '/') await openGuide(session, navigate);
      onSession(session);
    }, refusal);
    return undefined;
  }

  const other = (text: ReactNode) => (
    <button
      type="button"
      onClick={() => {
        clear();
        setMode(isNew ? 'sign-in' : 'sign-up');
      }}
    >
      {text}
    </button>
  );
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <img src="/icon.svg" width="52" height="52" alt="" />
        <h1>Parley</h1>
        <p className={styles['lead']}>{t('Where people and agents talk as equals.')}</p>
        {invite === 'over' ? <p role="status">{OVER}</p> : invite ? <InvitedGroup preview={invite} /> : null}
        {wasEnded && !isNew ? (
          <p role="status">
            {t('You’ve been signed out: this session expired, or you ended it on another device. Sign in again.')}
          </p>
        ) : null}
        <form
          ref={form}
          key={isNew ? 'sign-up' : 'sign-in'}
          onSubmit={(event) => {
            event.preventDefault();
            void enter(event.currentTarget);
          }}
          onChange={clear}
          className={styles['form']}
          noValidate
        >
          {isNew ? (
            <Field
              label={t('Your name (optional)')}
              name="name"
              autoComplete="name"
              autoFocus
              maxLength={64}
              value={name}
              onChange={({ target }) => setName(target.value)}
              hint={t('What others see. Leave it empty to show your username.')}
            />
          ) : null}
          <Field
            label={t('Username')}
            name="username"
            autoComplete="username"
            autoFocus={!isNew}
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={32}
            value={username ?? (isNew ? usernameFrom(name) : '')}
            onChange={({ target }) => setUsername(target.value)}
            error={errorOf('username')}
            hint={isNew ? t('Letters a to z, digits and _.') : undefined}
          />
          <PasswordField
            label={t('Password')}
            name="password"
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
            error={errorOf('password')}
            hint={
              isNew
                ? t('At least {count, plural, one {# character} other {# characters}}.', { count: LEAST })
                : undefined
            }
          />
          <Problem text={errorBut('username', 'password')} />
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isNew ? t('Create account') : t('Sign in')}
          </Button>
        </form>
        {mayJoin ? (
          <p className={classNames(styles['other'], 'ui-aside')}>
            {isNew
              ? rich('Already have an account? <button>Sign in</button>', { button: other })
              : rich('New here? <button>Create an account</button>', { button: other })}
          </p>
        ) : null}
      </div>
    </main>
  );
}
