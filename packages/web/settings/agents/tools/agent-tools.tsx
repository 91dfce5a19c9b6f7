import { lazy, Suspense, useState } from 'react';
import styles from '../../../config/settings.module.css';
import { Spinner } from '../../../ui/states/spinner.tsx';
import { t } from '../../../words/t.ts';

const ToolServers = lazy(async () => import('./tool-servers.tsx'));

/** A part of an agent's settings that unfolds: its tools. They are loaded when it does, since its servers are asked then. */
export function AgentTools({ agent }: { agent: string }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details className={styles['more']} onToggle={({ currentTarget }) => setWasOpen(wasOpen || currentTarget.open)}>
      <summary>{t('Tools')}</summary>
      {wasOpen ? (
        <Suspense fallback={<Spinner label={t('Asking its servers for their tools')} />}>
          <ToolServers agent={agent} />
        </Suspense>
      ) : null}
    </details>
  );
}
