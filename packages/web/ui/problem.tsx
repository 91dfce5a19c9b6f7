import { Button } from './button.tsx';
import styles from './problem.module.css';

/** What went wrong, and where it helps a way to try again. */
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
