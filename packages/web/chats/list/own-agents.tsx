import type { Result } from '@parley/protocol';
import { X } from 'lucide-react';
import { type MouseEvent, useCallback, useState, useSyncExternalStore } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, hrefOf, keyRoute } from '../../browser/route.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import styles from './own-agents.module.css';
import { t } from '../../words/t.ts';

/** localStorage key: the rows were dismissed in this browser. */
const DISMISSED = 'parley.own-agents-dismissed';
/** localStorage key: the agents as they were loaded last, for a page without a connection. */
const KEPT = 'parley.own-agents';

type Row = Pick<Result<'getMyAgents'>['items'][number], 'username' | 'display_name' | 'avatar_url' | 'key_configured'>;

/** Written by this file; the storage is emptied at sign-out. */
const keptRows = (): readonly Row[] => JSON.parse(localStorage.getItem(KEPT) ?? '[]') as Row[];

/** The two agents that everyone has, below the conversations, until each was used or the rows are dismissed. */
export default function OwnAgents({ partners }: { partners: ReadonlySet<string> }) {
  const navigate = useNavigate();
  const { client, store, agentKeys } = useSession();
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null);
  const { submit } = useSubmit();
  const changes = useSyncExternalStore(agentKeys.subscribe, agentKeys.get);
  const isLive = useCell(client.stateCell) === 'live';
  const load = useCallback(async () => {
    const own = (await client.call('getMyAgents')).items.filter(({ is_default }) => is_default);
    const kept = own.map(({ username, display_name, avatar_url, key_configured }): Row => ({
      username,
      display_name,
      avatar_url,
      key_configured,
    }));
    localStorage.setItem(KEPT, JSON.stringify(kept));
    return kept;
  }, [client, changes, isLive]);
  const [kept] = useState(keptRows);
  const { value = kept } = useLoaded(load);
  const agents = value.filter(({ username }) => !partners.has(username));
  if (isDismissed || agents.length === 0) return null;

  function dismiss() {
    localStorage.setItem(DISMISSED, '1');
    setIsDismissed(true);
  }
  const open = (username: string) =>
    submit(async () => {
      const chat = await client.call('startChat', { username });
      store.putChat(chat);
      navigate(chatRoute(chat.id));
    });
  const openKey = (event: MouseEvent, username: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(keyRoute(username));
  };

  return (
    <section className={styles['agents']} aria-labelledby="own-agents">
      <div className={styles['head']}>
        <h2 id="own-agents">{t('Agents')}</h2>
        <IconButton label={t('Hide agents')} icon={<X />} onClick={dismiss} />
      </div>
      <ul className="ui-bare">
        {agents.map(({ username, display_name, avatar_url, key_configured }) => {
          const content = (
            <>
              <Avatar name={display_name} username={username} kind="agent" url={avatar_url} size={36} />
              <span className="ui-texts">
                <span className="ui-cut ui-medium" dir="auto">
                  {display_name}
                </span>
                <span className={styles['action']}>
                  {!isLive ? t('Waiting for the connection …') : key_configured ? t('Say hello') : t('Add key')}
                </span>
              </span>
            </>
          );
          return (
            <li key={username}>
              {key_configured ? (
                <button type="button" className={styles['row']} disabled={!isLive} onClick={() => void open(username)}>
                  {content}
                </button>
              ) : (
                <a
                  className={styles['row']}
                  href={hrefOf(keyRoute(username))}
                  onClick={(event) => openKey(event, username)}
                >
                  {content}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
