import styles from './skeleton-rows.module.css';

const ROWS = 8;

/** Outlines of rows with a picture and two lines, in the place of a list that is loading. */
export function SkeletonRows({ label }: { label: string }) {
  return (
    <div className={styles['rows']} role="status" aria-label={label}>
      {Array.from({ length: ROWS }, (_, at) => (
        <span key={at} className={styles['row']} data-skeleton />
      ))}
    </div>
  );
}
