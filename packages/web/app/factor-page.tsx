import { KeyRound } from 'lucide-react';
import { endNeedsFactor, type Session, signOut } from '../session/session.ts';
import { FactorSetup } from '../settings/account/factor-setup.tsx';
import { Button } from '../ui/button.tsx';
import { PageCard } from '../ui/layout/page-card.tsx';
import { t } from '../words/t.ts';

/** What a person sees of whom the service requires a second factor, and who has none (FACTOR-6). */
export default function FactorPage({ session }: { session: Session }) {
  const { client, username } = session;
  return (
    <PageCard icon={<KeyRound />} title={t('Set up two-step sign-in')}>
      <p>{t('The people who run this service require it of you.')}</p>
      <FactorSetup
        client={client}
        username={username}
        onDone={() => {
          endNeedsFactor();
          // A new page: the client of this one has met nothing but refusals.
          location.assign('/');
        }}
      />
      <Button onClick={() => void signOut(session)}>{t('Sign out')}</Button>
    </PageCard>
  );
}
