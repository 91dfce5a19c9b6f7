import { useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import styles from './problem.module.css';

/** An error text, with a retry button if `onRetry` is given. */
export function Problem({ text, onRetry }: { text: string | null; onRetry?: () => void }) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // At the end of a long form it may be out of sight.
    if (text !== null) shown.current?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  if (text === null) return null;
  return (
    <p ref={shown} className={styles['problem']} role="alert">
      {text}
      {onRetry ? (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </p>
  );
}
