import type { StoredMessage } from '@parley/client/store';
import { CircleAlert, CircleSlash } from 'lucide-react';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { hrefOf, keyRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { noteOf } from '../../words/finish-notes.ts';
import { ProviderSaid } from './provider-words.tsx';
import styles from './message-text.module.css';
import { t } from '../../words/t.ts';

const OwnConfigDialog = lazy(async () => ({
  default: (await import('../../config/own-config.tsx')).OwnConfigDialog,
}));

/** Says why a reply did not finish and what to do. */
export function FinishNote({ message }: { message: StoredMessage }) {
  const navigate = useNavigate();
  const { username, providerWords, may } = useSession();
  const [isConfiguring, setIsConfiguring] = useState(false);
  const { status, finish_reason: reason = '', sender } = message;
  const words = useSyncExternalStore(providerWords.subscribe, () => providerWords.of(message.id));
  const maySetKeys = may('setAgentKey');
  const note = noteOf(status, reason, maySetKeys);
  if (!note) return null;
  const place = keyRoute(sender.username);
  return (
    <div className={styles['note']}>
      {status === 'failed' ? <CircleAlert /> : <CircleSlash />}
      <div>
        {note.text}{' '}
        {!note.needsKey || !maySetKeys || sender.is_deleted ? null : sender.parent_username === username ? (
          <a
            href={hrefOf(place)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              navigate(place);
            }}
          >
            {t('Open agent settings')}
          </a>
        ) : (
          <button type="button" onClick={() => setIsConfiguring(true)}>
            {t('Open agent settings')}
          </button>
        )}
        {isConfiguring ? (
          <Suspense fallback={null}>
            <OwnConfigDialog agent={sender} onClose={() => setIsConfiguring(false)} />
          </Suspense>
        ) : null}
        {status === 'failed' && maySetKeys && words !== undefined ? <ProviderSaid words={words} /> : null}
      </div>
    </div>
  );
}
