import { ApiError } from '@parley/client';
import type { Result } from '@parley/protocol';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from '../browser/class-names.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/forms/field.tsx';
import { PasswordField } from '../ui/forms/password-field.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { type Navigate, useNavigate, useRoute } from '../browser/navigation.ts';
import { chatRoute, inviteIn } from '../browser/route.ts';
import { deletedHere, exchangeSignIn, guest, type Session, signIn, signUp, wasUsed } from '../session/session.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { InvitedGroup, OVER, useInvitePreview, WHAT_JOINING_MEANS } from '../chats/invites/invite-preview.tsx';
import { Issuers, takeSignInCode } from './issuers.tsx';
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

/** Opens the group of an invite that the new account has joined. If it cannot join, the invite's own page says why. */
async function joinWith({ client }: Session, token: string, navigate: Navigate): Promise<void> {
  const chat = await client.api.joinChat({ token }).catch(() => undefined);
  if (chat) navigate(chatRoute(chat.id), { replace: true });
}

const LEAST = 8;

/** Turns an error of signUp or signIn into a text and the field to show it at; null for all other errors. */
function refusal(error: unknown): { field: string | null; text: string } | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'unauthenticated') return { field: null, text: t('Wrong username or password. Try again.') };
  if (error.code === 'forbidden' && /disabled/.test(error.description))
    return { field: null, text: t('This account is disabled. Ask the people who run this service.') };
  if (error.code === 'forbidden' && /only owners/.test(error.description))
    return { field: null, text: t('Only owners sign in with a password here.') };
  if (error.code === 'forbidden' && /invite/.test(error.description)) return { field: null, text: OVER };
  if (error.code === 'conflict') return { field: 'username', text: t('This username is taken. Try another.') };
  if (error.code !== 'invalid_argument' || error.parameters['field'] !== 'password') return null;
  return /username/.test(error.description)
    ? { field: 'password', text: t('Your password can’t be your username. Choose another.') }
    : { field: 'password', text: t('This password is too common and easy to guess. Try a few words together.') };
}

const needsCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'forbidden' && error.parameters['field'] === 'code';
/** The first half of a sign-in in two steps: the field for the code says the rest. */
const ASKED = { field: 'code-asked', text: '' };

/** Why the code of a sign-in at an issuer gave no session. */
const lapsed = (error: unknown): { field: null; text: string } | null =>
  error instanceof ApiError && error.code === 'unauthenticated'
    ? { field: null, text: t('This sign-in has expired. Start it again.') }
    : null;

const wrongUsername = (typed: string, isNew: boolean): string | null => {
  if (typed === '') return t('Enter your username.');
  return isNew && !/^[a-z0-9_]{1,32}$/.test(typed) ? t('Use only the letters a to z, digits and _.') : null;
};

const wrongPassword = (typed: string, isNew: boolean): string | null => {
  if (typed === '') return t('Enter a password.');
  return isNew && typed.length < LEAST
    ? t('Use at least {count, plural, one {# character} other {# characters}}.', { count: LEAST })
    : null;
};

const none = { username: null, password: null };

/** Sign up or sign in. */
export function Welcome({ wasEnded, onSession }: { wasEnded: boolean; onSession: (session: Session) => void }) {
  const navigate = useNavigate();
  // A new browser starts with sign-up: there is no account to sign in with yet.
  const [mode, setMode] = useState<Mode>(() => (wasUsed() ? 'sign-in' : 'sign-up'));
  const deleted = deletedHere();
  const route = useRoute();
  const invite = useInvitePreview(route.name === 'join' ? route.token : null);
  const [info, setInfo] = useState<Result<'getServerInfo'> | null>(null);
  const signUpFor = info?.sign_up ?? 'open';
  const isForOwners = info?.passwords === 'owners';
  // Also where only owners have passwords: one of them asks for the form.
  const [isOwner, setIsOwner] = useState(false);
  // A group's invite lets in too, where one needs any; elsewhere the group's own page asks before one joins.
  const toGroup = route.name === 'join' && signUpFor === 'invite' ? route.token : null;
  const [toService] = useState(() => inviteIn(location));
  const invited = toService ?? toGroup;
  const mayJoin = !isForOwners && (signUpFor === 'open' || (signUpFor === 'invite' && invited !== null));
  const { isBusy, errorOf, errorBut, submit, clear: forgive } = useSubmit();
  // What is wrong with each field, before anything is sent.
  const [problems, setProblems] = useState<Readonly<Record<'username' | 'password', string | null>>>(none);
  const clear = () => {
    setProblems(none);
    forgive();
  };
  const isNew = mode === 'sign-up' && mayJoin;
  // The page shows the group: who makes an account here joins it with the same press.
  const joins = isNew && route.name === 'join' && invite !== null && invite !== 'over' ? route.token : null;
  /** What the user has typed as a username; null while it follows the name. */
  const [username, setUsername] = useState<string | null>(null);
  const [name, setName] = useState('');
  /** The account has a second factor. */
  const [asksCode, setAsksCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const wrong = {
    username: problems.username ?? errorOf('username'),
    password: problems.password ?? errorOf('password'),
  };
  const refused = wrong.username ?? wrong.password;
  useEffect(() => {
    if (refused !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);

  useEffect(() => {
    guest()
      .getServerInfo()
      .then(
        (info) => setInfo(info),
        () => undefined,
      );
  }, []);

  const [code] = useState(takeSignInCode);
  useEffect(() => {
    if (code !== null) void submit(async () => onSession(await exchangeSignIn(code)), lapsed);
    // Once: the code is used up.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [code]);

  async function enter(element: HTMLFormElement) {
    const form = new FormData(element);
    const typed = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    const username = typed('username').trim().toLowerCase();
    const password = typed('password');
    const wrong = { username: wrongUsername(username, isNew), password: wrongPassword(password, isNew) };
    setProblems(wrong);
    if (wrong.username !== null || wrong.password !== null) return undefined;
    const factorCode = asksCode ? typed('code').trim() : undefined;
    const refusedHere = (error: unknown) => {
      if (!needsCode(error)) return refusal(error);
      setAsksCode(true);
      return factorCode ? { field: 'code', text: t('This code is wrong or was used. Wait for the next one.') } : ASKED;
    };
    await submit(async () => {
      const displayName = typed('name').trim();
      const session = isNew
        ? await signUp({ username, password, displayName, invite: invited })
        : await signIn(username, password, factorCode);
      // The invite has been used: it stays in no address.
      if (isNew && invited !== null) history.replaceState(null, '', '/');
      if (isNew && location.pathname === '/') await openGuide(session, navigate);
      else if (joins !== null) await joinWith(session, joins, navigate);
      onSession(session);
    }, refusedHere);
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
        {joins === null ? null : <p>{WHAT_JOINING_MEANS}</p>}
        {signUpFor === 'invite' && invited === null && !isForOwners ? (
          <p role="status">{t('To create an account here you need an invite. Open the link that you were sent.')}</p>
        ) : null}
        {deleted !== null && !isNew ? (
          <p role="status">{t('The account @{username} is deleted.', { username: deleted })}</p>
        ) : null}
        {wasEnded && !isNew ? (
          <p role="status">
            {t('You’ve been signed out: this session expired, or you ended it on another device. Sign in again.')}
          </p>
        ) : null}
        <Issuers issuers={info?.issuers ?? []} invite={invited} />
        {isForOwners && !isOwner ? (
          <>
            <Problem text={errorBut()} />
            <p className={classNames(styles['other'], 'ui-aside')}>
              <button type="button" onClick={() => setIsOwner(true)}>
                {t('Owners: sign in with a password')}
              </button>
            </p>
          </>
        ) : (
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
              error={wrong.username}
              hint={isNew ? t('Letters a to z, digits and _.') : undefined}
            />
            <PasswordField
              label={t('Password')}
              name="password"
              autoComplete={isNew ? 'new-password' : 'current-password'}
              required
              error={wrong.password}
              hint={
                isNew
                  ? t('At least {count, plural, one {# character} other {# characters}}.', { count: LEAST })
                  : undefined
              }
            />
            {asksCode && !isNew ? (
              <Field
                label={t('Sign-in code')}
                name="code"
                autoComplete="one-time-code"
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
                required
                error={errorOf('code')}
                hint={t('From the app on your phone, or one of your recovery codes.')}
              />
            ) : null}
            <Problem text={errorBut('username', 'password', 'code', ASKED.field)} />
            <Button type="submit" look="primary" isBusy={isBusy}>
              {joins !== null ? t('Create account and join') : isNew ? t('Create account') : t('Sign in')}
            </Button>
          </form>
        )}
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
