import { lazy, Suspense, useEffect, useState } from 'react';
import { useRoute } from '../browser/navigation.ts';
import { forget, isKept, savedSession, type Session, SessionContext } from '../session/session.ts';
import { SessionState } from './session-state.tsx';
import { Shell } from './shell.tsx';

const Welcome = lazy(async () => ({ default: (await import('./welcome.tsx')).Welcome }));
const MissingPage = lazy(async () => import('./missing-page.tsx'));

/** The door, or the house. */
export function App() {
  const [session, setSession] = useState<Session | null>(savedSession);
  const [wasEnded, setWasEnded] = useState(false);

  useEffect(() => {
    if (!session) return undefined;
    const { client } = session;
    return client.onState((state) => {
      if (state !== 'closed') return;
      // The session was ended. Who has signed out here knows why, in every tab.
      setWasEnded(client.closeReason !== 'closed' && isKept(session));
      if (client.closeReason !== 'closed') forget();
      setSession(null);
    });
  }, [session]);

  if (!session)
    return (
      <Suspense fallback={null}>
        <Door wasEnded={wasEnded} onSession={setSession} />
      </Suspense>
    );
  return (
    <SessionContext value={session}>
      <SessionState key={session.token}>
        <Shell />
      </SessionState>
    </SessionContext>
  );
}

/** To whoever is not signed in; where there is nothing it says so to them too. */
const Door = (props: { wasEnded: boolean; onSession: (session: Session) => void }) =>
  useRoute().name === 'missing' ? <MissingPage /> : <Welcome {...props} />;
