import { Signpost } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { PageCard } from '../ui/page-card.tsx';
import { useNavigate } from '../browser/navigation.ts';

/** At an address that leads nowhere: the way home. */
export default function MissingPage() {
  const navigate = useNavigate();
  return (
    <PageCard icon={<Signpost />} title="This page does not exist">
      <p>The address may be mistyped, or what was here is gone.</p>
      <Button look="primary" onClick={() => navigate({ name: 'home' }, { replace: true })}>
        Go to the start
      </Button>
    </PageCard>
  );
}
