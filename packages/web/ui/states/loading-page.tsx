import { useIsOffline } from '../../browser/use-is-offline.ts';
import { EmptyState } from './empty-state.tsx';
import { Spinner } from './spinner.tsx';
import { t } from '../../words/t.ts';

/** Shown in place of a page that is loading: a spinner, or that the network is missing for it. */
export function LoadingPage({ label }: { label?: string }) {
  const isOffline = useIsOffline();
  return (
    <EmptyState
      icon={<Spinner {...(label !== undefined && { label })} />}
      title={isOffline ? t('This isn’t on your device yet. It loads when you’re back online.') : ''}
    />
  );
}
