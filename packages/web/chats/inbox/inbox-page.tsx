import { Hand, Inbox } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { ColumnPage } from '../../ui/layout/column-page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { LoadingPage } from '../../ui/states/loading-page.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from './inbox-page.module.css';
import { InboxRow } from './inbox-row.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';
import { t } from '../../words/t.ts';

/** What the user is to look at: decisions, mentions, replies, threads and failed replies. */
export default function InboxPage() {
  const store = useStore();
  const navigate = useNavigate();
  const { items: all, isLoaded, hasMore } = useCell(store.inbox);
  const needs = useCell(store.needsTotal);
  const [isFiltered, setIsFiltered] = useState(false);
  // The filter ends with the last decision.
  const isOfDecisions = isFiltered && needs > 0;
  const items = isOfDecisions ? all.filter(({ reason }) => reason === 'decision') : all;
  const mayBeDone = items.some(({ reason }) => reason !== 'decision');
  const { errorBut, submit } = useSubmit();
  const heading = useRef<HTMLHeadingElement>(null);
  const { list, onKeyDown, leave } = useInboxKeys({ onEmpty: () => heading.current?.focus(), onDone: setDone });

  function setDone(messageId: string): void {
    leave(messageId);
    void submit(() => store.setInboxDone([messageId]));
  }
  function setAllDone(): void {
    heading.current?.focus();
    void submit(() => store.setAllInboxDone());
  }

  return (
    <ColumnPage
      title={t('For you')}
      heading={heading}
      onBack={() => navigate({ name: 'home' })}
      actions={
        mayBeDone ? (
          <Button size="small" look="quiet" onClick={setAllDone}>
            {t('Mark all as done')}
          </Button>
        ) : null
      }
    >
      {needs > 0 ? (
        <button
          type="button"
          className={styles['filter']}
          aria-pressed={isOfDecisions}
          onClick={() => setIsFiltered(!isOfDecisions)}
        >
          <Hand aria-hidden />
          {t('Needs you: {count, number}', { count: needs })}
        </button>
      ) : null}
      <Problem text={errorBut()} />
      {items.length > 0 ? (
        <ul ref={list} className="ui-bare" aria-label={t('For you')} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <InboxRow key={item.message_id} item={item} onDone={setDone} />
          ))}
        </ul>
      ) : isLoaded && !(isOfDecisions && hasMore) ? (
        <EmptyState
          icon={<Inbox />}
          title={t('You’re all caught up. Decisions, mentions, replies and news from your threads will show up here.')}
        />
      ) : (
        <LoadingPage label={t('Loading your mentions and replies')} />
      )}
      {hasMore ? <MoreMark key={all.length} /> : null}
    </ColumnPage>
  );
}

/** Loads the next page when it comes into view. */
function MoreMark() {
  const store = useStore();
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!mark.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void store.loadMoreInbox().catch(() => undefined);
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [store]);
  return <div ref={mark} className={styles['more']} />;
}
