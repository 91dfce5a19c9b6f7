import { t } from '../../words/t.ts';
import styles from './presence-dot.module.css';
import { useShownPresence } from './use-shown-presence.ts';

interface PresenceDotProps {
  username: string;
  kind: 'human' | 'agent';
}

/** A dot on the picture of a person who is online, or of a bot that nobody runs at the moment. */
export function PresenceDot({ username, kind }: PresenceDotProps) {
  const [place, presence] = useShownPresence(username);
  const label =
    kind === 'human' && presence?.status === 'online'
      ? t('Online')
      : kind === 'agent' && presence?.status === 'offline'
        ? t('Not running')
        : null;
  return (
    <span ref={place} className={styles['place']}>
      {label === null ? null : <span className={styles[kind]} role="img" aria-label={label} title={label} />}
    </span>
  );
}
