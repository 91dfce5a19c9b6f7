import styles from './message-text.module.css';
import { t } from '../../words/t.ts';

/** What the provider said about a reply that failed, in its own words, behind "Details". */
export const ProviderSaid = ({ words }: { words: string }) => (
  <details className={styles['details']} data-fold>
    <summary>{t('Details')}</summary>
    <p dir="auto">{t('The provider’s own words: “{words}”', { words })}</p>
  </details>
);
