import { useState } from 'react';
import { t } from '../words/t.ts';
import styles from './transcript.module.css';

/** Longer transcripts are folded. */
const FOLDED_CHARACTERS = 400;

/** What was heard in a voice message. */
export function Transcript({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const characters = Array.from(text);
  const isLong = characters.length > FOLDED_CHARACTERS;
  const shown = isLong && !isOpen ? `${characters.slice(0, FOLDED_CHARACTERS).join('').trimEnd()}…` : text;
  return (
    <div className={styles['transcript']} role="group" aria-label={t('Transcript')} data-transcript>
      {text === '' ? (
        <p className={styles['none']}>{t('No words recognized.')}</p>
      ) : (
        <p className={styles['text']} dir="auto">
          {shown}
        </p>
      )}
      {isLong ? (
        <button type="button" className={styles['fold']} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('Show less') : t('Show more')}
        </button>
      ) : null}
    </div>
  );
}
