import type { StoredMessage } from '@parley/client/store';
import { CircleAlert, CircleSlash } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { hrefOf } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { noteOf } from '../../words/finish-notes.ts';
import { ProviderSaid } from './provider-words.tsx';
import styles from './message-text.module.css';
import { t } from '../../words/t.ts';

/** Says why a reply did not finish and what to do. */
export function FinishNote({ message }: { message: StoredMessage }) {
  const navigate = useNavigate();
  const { username, providerWords, may } = useSession();
  const { status, finish_reason: reason = '', sender } = message;
  const words = useSyncExternalStore(providerWords.subscribe, () => providerWords.of(message.id));
  const maySetKeys = may('setAgentKey');
  const note = noteOf(status, reason, maySetKeys);
  if (!note) return null;
  const href = hrefOf({ name: 'settings', section: 'agents' });
  return (
    <div className={styles['note']}>
      {status === 'failed' ? <CircleAlert /> : <CircleSlash />}
      <div>
        {note.text}{' '}
        {note.needsKey && maySetKeys && sender.parent_username === username ? (
          <a
            href={href}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              navigate({ name: 'settings', section: 'agents' });
            }}
          >
            {t('Open agent settings')}
          </a>
        ) : null}
        {status === 'failed' && maySetKeys && words !== undefined ? <ProviderSaid words={words} /> : null}
      </div>
    </div>
  );
}
