import { useIsOffline } from '../../browser/use-is-offline.ts';
import { EmptyState } from './empty-state.tsx';
import styles from './skeleton-rows.module.css';
import { t } from '../../words/t.ts';

const ROWS = 8;

/** Outlines of rows with a picture and two lines, in the place of a list that is loading. */
export function SkeletonRows({ label }: { label: string }) {
  if (useIsOffline())
    return <EmptyState title={t('This isn’t on your device yet. It loads when you’re back online.')} />;
  return (
    <div className={styles['rows']} role="status" aria-label={label}>
      {Array.from({ length: ROWS }, (_, at) => (
        <span key={at} className={styles['row']} data-skeleton />
      ))}
    </div>
  );
}
