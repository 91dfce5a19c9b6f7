// The shell: welcome page or the signed-in layout, and what the rooms keep for a session. May import: every room.
import { StoreProvider } from '@parley/react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useRoute } from '../browser/navigation.ts';
import { keepSaved } from '../session/saved-store.ts';
import {
  endPending,
  forget,
  isKept,
  isPending,
  needsFactor,
  type Session,
  SessionContext,
} from '../session/session.ts';
import { ProfilePlace } from '../chats/profile/profile-place.tsx';
import { SessionState } from './session-state.tsx';
import { Shell } from './shell.tsx';
import { takeSignInCode } from './sign-in-code.ts';

const Welcome = lazy(async () => ({ default: (await import('./welcome.tsx')).Welcome }));
const PasswordPage = lazy(async () => import('./password-page.tsx'));
const FactorPage = lazy(async () => import('./factor-page.tsx'));
const ConsentPage = lazy(async () => import('./consent-page.tsx'));
const Waiting = lazy(async () => import('./waiting.tsx'));
const SignInAnew = lazy(async () => import('./sign-in-anew.tsx'));
const MissingPage = lazy(async () => import('./missing-page.tsx'));

/** The welcome page, or the app once you are signed in. */
export function App({ saved }: { saved: Session | null }) {
  const [session, setSession] = useState(saved);
  const [wasEnded, setWasEnded] = useState(false);
  const [waits, setWaits] = useState(isPending);
  const [lacksFactor, setLacksFactor] = useState(needsFactor);
  const route = useRoute();
  /** A sign-in at an issuer has led back to a browser that was signed in. */
  const [code] = useState(() => (saved ? takeSignInCode() : null));

  useEffect(() => {
    if (!session) return undefined;
    const { client, store, username } = session;
    const endSaving = keepSaved(username, store, () => isKept(session));
    const endStates = client.onState((state) => {
      if (state !== 'closed') return;
      // Explain the end only if the session ended elsewhere: a user who signed out in this browser knows why.
      setWasEnded(client.closeReason !== 'closed' && isKept(session));
      if (client.closeReason !== 'closed') forget();
      setSession(null);
    });
    return () => {
      endSaving();
      endStates();
    };
  }, [session]);

  const enter = (entered: Session) => {
    setWaits(isPending());
    setLacksFactor(needsFactor());
    setSession(entered);
  };
  if (route.name === 'password')
    return (
      <Suspense fallback={null}>
        <PasswordPage />
      </Suspense>
    );
  if (session && waits)
    return (
      <Suspense fallback={null}>
        <Waiting
          session={session}
          onApproved={() => {
            endPending();
            // A new page: the client of this one has met nothing but refusals.
            location.assign('/');
          }}
        />
      </Suspense>
    );
  if (session && lacksFactor)
    return (
      <Suspense fallback={null}>
        <FactorPage session={session} />
      </Suspense>
    );
  if (!session)
    return (
      <Suspense fallback={null}>
        <Door wasEnded={wasEnded} onSession={enter} />
      </Suspense>
    );
  return (
    <SessionContext value={session}>
      <StoreProvider store={session.store}>
        <SessionState key={session.username}>
          {route.name === 'consent' ? (
            <Suspense fallback={null}>
              <ConsentPage />
            </Suspense>
          ) : (
            <ProfilePlace>
              <Shell />
              <Suspense fallback={null}>{code === null ? null : <SignInAnew code={code} />}</Suspense>
            </ProfilePlace>
          )}
        </SessionState>
      </StoreProvider>
    </SessionContext>
  );
}

/** What a signed-out visitor sees: unknown addresses get the missing page, all others the welcome page. */
const Door = (props: { wasEnded: boolean; onSession: (session: Session) => void }) =>
  useRoute().name === 'missing' ? <MissingPage /> : <Welcome {...props} />;
