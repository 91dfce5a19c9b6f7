import { useEffect, useState } from 'react';
import styles from './connection-note.module.css';
import { useSession } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { t } from '../words/t.ts';

/** Delay before the note appears: most interruptions are over sooner. */
const PATIENCE_MS = 1_500;

/** A line above the page while the client is disconnected or catching up. */
export function ConnectionNote() {
  const { client } = useSession();
  const state = useCell(client.stateCell);
  const isLive = state === 'live' || state === 'closed';
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (isLive) return undefined;
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isLive]);
  const text =
    state === 'offline'
      ? t('You’re offline. Your messages go out when you’re back online.')
      : state === 'recovering'
        ? t('Catching up …')
        : t('Connecting …');
  return (
    <div role="status" className={styles['place']}>
      {isLate && !isLive ? (
        <p className={styles['note']}>
          {text}
          {state === 'waiting' ? (
            <button type="button" onClick={() => client.reconnect()}>
              {t('Try now')}
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}
