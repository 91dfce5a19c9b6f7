import type { Status } from '@parley/protocol';
import { EmojiSign } from '../../emoji/emoji-sign.tsx';
import { useCell } from '../../session/use-cell.ts';
import { useStore } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';
import styles from './person-status.module.css';
import { useShownPresence } from './use-shown-presence.ts';

/** Stands for a status that is only text. */
const SPEECH = '💬';
const signOf = ({ emoji }: Status): string => emoji ?? SPEECH;

/** The emoji of a person's status, beside its name; the text is its accessible name. */
export function StatusSign({ username }: { username: string }) {
  const [place, presence] = useShownPresence(username);
  const status = presence?.custom_status;
  const label = status && (status.text ?? t('Status: {emoji}', { emoji: signOf(status) }));
  return (
    <span ref={place} className={styles['sign']}>
      {status ? (
        <span role="img" aria-label={label} title={label}>
          <EmojiSign emoji={signOf(status)} />
        </span>
      ) : null}
    </span>
  );
}

/** A person's whole status; nothing without one. */
export function StatusText({ username, hasEnd = false }: { username: string; hasEnd?: boolean }) {
  const status = useCell(useStore().presence(username))?.custom_status;
  if (!status) return null;
  return (
    <span className={styles['status']}>
      <span className={styles['sign']}>
        <EmojiSign emoji={signOf(status)} />
      </span>
      {status.text === undefined ? null : (
        <span className={styles['text']} dir="auto" title={status.text}>
          {status.text}
        </span>
      )}
      {hasEnd && status.until !== undefined ? (
        <span className={styles['end']}>{t('until {time}', { time: untilTime(status.until) })}</span>
      ) : null}
    </span>
  );
}
