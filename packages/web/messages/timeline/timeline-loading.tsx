import type { Timeline } from '@parley/client/store';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { LoadingPage } from '../../ui/states/loading-page.tsx';
import { Spinner } from '../../ui/states/spinner.tsx';
import styles from './timeline-view.module.css';
import { t } from '../../words/t.ts';

/** Shown in place of a timeline whose first page is not loaded. */
export function FirstPage({ timeline }: { timeline: Timeline }) {
  const { error } = useCell(timeline);
  if (!error) return <LoadingPage label={t('Loading messages')} />;
  return (
    <EmptyState title={t('Couldn’t load the messages. Check your connection and try again.')}>
      <Button onClick={() => void timeline.jumpToNewest()}>{t('Try again')}</Button>
    </EmptyState>
  );
}

/** Shown above the messages while an older page is loading, or after a page could not be loaded. */
export function MorePages({ isLoading, onRetry }: { isLoading: boolean; onRetry: (() => void) | null }) {
  return (
    <>
      {isLoading ? (
        <div className={styles['loading']}>
          <Spinner label={t('Loading older messages')} />
        </div>
      ) : null}
      {onRetry ? (
        <div className={styles['failed']} role="alert">
          {t('Couldn’t load these messages.')}
          <Button size="small" onClick={onRetry}>
            {t('Try again')}
          </Button>
        </div>
      ) : null}
    </>
  );
}
