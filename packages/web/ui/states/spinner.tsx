import styles from './spinner.module.css';
import { t } from '../../words/t.ts';

/** Shows that something is loading. */
export function Spinner({ label = t('Loading') }: { label?: string }) {
  return <span className={styles['spinner']} role="status" aria-label={label} />;
}
