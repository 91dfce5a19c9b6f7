import { ApiError } from '@parley/client';
import { Hourglass } from 'lucide-react';
import { useEffect } from 'react';
import { type Session, signOut } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { PageCard } from '../ui/layout/page-card.tsx';
import { t } from '../words/t.ts';

/** Time between two questions whether the account has been approved. */
const ASK_MS = 5_000;

/** What a person sees whose account waits for approval (ENTER-6). */
export default function Waiting({ session, onApproved }: { session: Session; onApproved: () => void }) {
  const { client } = session;
  useEffect(() => {
    const ask = () =>
      client.api.getMe().then(
        ({ pending }) => {
          if (!pending) onApproved();
        },
        (error: unknown) => {
          // Refused: the account is deleted.
          if (error instanceof ApiError && error.code === 'unauthenticated') void signOut(session);
        },
      );
    const timer = setInterval(() => void ask(), ASK_MS);
    void ask();
    return () => clearInterval(timer);
  }, [client, session, onApproved]);
  return (
    <PageCard icon={<Hourglass />} title={t('Your account waits for approval')}>
      <p>{t('Somebody who runs this service has to let you in. This page opens the app as soon as they have.')}</p>
      <Button onClick={() => void signOut(session)}>{t('Sign out')}</Button>
    </PageCard>
  );
}
