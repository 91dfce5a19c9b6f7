import { useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import styles from './problem.module.css';
import { t } from '../../words/t.ts';

interface ProblemProps {
  text: string | null;
  /** Shows a retry button. */
  onRetry?: () => void;
  /** At the end of a form, which may be long: scrolls into view, because the user has just submitted it. */
  ofForm?: boolean;
}

/** An error text. */
export function Problem({ text, onRetry, ofForm = false }: ProblemProps) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (ofForm && text !== null) shown.current?.scrollIntoView({ block: 'nearest' });
  }, [ofForm, text]);
  if (text === null) return null;
  return (
    <p ref={shown} className={styles['problem']} role="alert">
      {text}
      {onRetry ? (
        <Button size="small" onClick={onRetry}>
          {t('Try again')}
        </Button>
      ) : null}
    </p>
  );
}
