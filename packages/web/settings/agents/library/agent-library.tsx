import { lazy, Suspense, useState } from 'react';
import styles from '../../../config/settings.module.css';
import { Spinner } from '../../../ui/states/spinner.tsx';
import { t } from '../../../words/t.ts';

const LibraryList = lazy(async () => import('./library-list.tsx'));

/** A part of an agent's settings that unfolds: the files and pages that it answers from. They are loaded when it does. */
export function AgentLibrary({ agent }: { agent: string }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details className={styles['more']} onToggle={({ currentTarget }) => setWasOpen(wasOpen || currentTarget.open)}>
      <summary>{t('Library')}</summary>
      {wasOpen ? (
        <Suspense fallback={<Spinner label={t('Loading its library')} />}>
          <LibraryList agent={agent} />
        </Suspense>
      ) : null}
    </details>
  );
}
