import { useEffect, useState } from 'react';
import styles from './connection-note.module.css';
import { useSession } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';

/** So long nothing is said: most breaks are over before anybody has noticed. */
const PATIENCE_MS = 1_500;

/** A quiet line while the service is out of reach, or is being caught up with. */
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
      ? 'You are offline. Messages are sent when the network is back.'
      : state === 'recovering'
        ? 'Catching up …'
        : 'Connecting …';
  return (
    <div role="status" className={styles['place']}>
      {isLate && !isLive ? (
        <p className={styles['note']}>
          {text}
          {state === 'waiting' ? (
            <button type="button" onClick={() => client.reconnect()}>
              Try now
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}
