import { Button } from '../button.tsx';
import styles from './problem.module.css';

/** An error text, with a retry button if `onRetry` is given. */
export function Problem({ text, onRetry }: { text: string | null; onRetry?: () => void }) {
  if (text === null) return null;
  return (
    <p className={styles['problem']} role="alert">
      {text}
      {onRetry ? (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </p>
  );
}
