import { Signpost } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { PageCard } from '../ui/layout/page-card.tsx';
import { useNavigate } from '../browser/navigation.ts';
import { t } from '../words/t.ts';

/** Shown for an address that the app does not have, with a button to the start page. */
export default function MissingPage() {
  const navigate = useNavigate();
  return (
    <PageCard icon={<Signpost />} title={t('This page does not exist')}>
      <p>{t('Check the address for typos. The page may also have been deleted.')}</p>
      <Button look="primary" onClick={() => navigate({ name: 'home' }, { replace: true })}>
        {t('Go to the start')}
      </Button>
    </PageCard>
  );
}
