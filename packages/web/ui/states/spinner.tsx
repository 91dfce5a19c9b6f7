import styles from './spinner.module.css';

/** Shows that something is loading. */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return <span className={styles['spinner']} role="status" aria-label={label} />;
}
