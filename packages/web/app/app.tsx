// The shell: welcome page or the signed-in layout, and what the rooms keep for a session. May import: every room.
import { StoreProvider } from '@parley/react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useRoute } from '../browser/navigation.ts';
import { keepSaved } from '../session/saved-store.ts';
import { forget, isKept, type Session, SessionContext } from '../session/session.ts';
import { SessionState } from './session-state.tsx';
import { Shell } from './shell.tsx';

const Welcome = lazy(async () => ({ default: (await import('./welcome.tsx')).Welcome }));
const MissingPage = lazy(async () => import('./missing-page.tsx'));

/** The welcome page, or the app once you are signed in. */
export function App({ saved }: { saved: Session | null }) {
  const [session, setSession] = useState(saved);
  const [wasEnded, setWasEnded] = useState(false);

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

  if (!session)
    return (
      <Suspense fallback={null}>
        <Door wasEnded={wasEnded} onSession={setSession} />
      </Suspense>
    );
  return (
    <SessionContext value={session}>
      <StoreProvider store={session.store}>
        <SessionState key={session.username}>
          <Shell />
        </SessionState>
      </StoreProvider>
    </SessionContext>
  );
}

/** What a signed-out visitor sees: unknown addresses get the missing page, all others the welcome page. */
const Door = (props: { wasEnded: boolean; onSession: (session: Session) => void }) =>
  useRoute().name === 'missing' ? <MissingPage /> : <Welcome {...props} />;
