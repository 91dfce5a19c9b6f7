import { useEffect, useRef, useState } from 'react';
import { useCell } from '../../session/use-cell.ts';
import { useStore } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import styles from './presence-dot.module.css';

const unknown = { get: () => undefined, subscribe: () => () => {} };

interface PresenceDotProps {
  username: string;
  kind: 'human' | 'agent';
}

/**
 * A dot on the picture of a person who is online, or of a bot that nobody runs at the moment (WEB-250). The service is
 * asked only about those in view.
 */
export function PresenceDot({ username, kind }: PresenceDotProps) {
  const store = useStore();
  const place = useRef<HTMLSpanElement>(null);
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver((entries) => setIsInView(entries.at(-1)?.isIntersecting === true));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const presence = useCell(isInView ? store.presence(username) : unknown);
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
