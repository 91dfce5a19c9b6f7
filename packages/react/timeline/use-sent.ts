import { dateBefore } from '@parley/protocol/dates';
import type { Timeline } from '@parley/client/store';
import { useEffect } from 'react';
import { useStore } from '../provider.ts';

/** Calls `onSent`, a stable function, when a message to the timeline is sent from this page, by whatever part of it (HOOK-11). */
export function useSent(timeline: Timeline, onSent: () => void): void {
  const store = useStore();
  useEffect(() => {
    const { entries } = store.client.outbox;
    // Messages that an earlier page has left in the storage are loaded into the outbox too.
    let newestAt = dateBefore(Date.now(), 1);
    return entries.subscribe(() => {
      const newest = entries.get().findLast(({ params }) => store.timeline(params) === timeline);
      if (!newest || newest.at <= newestAt) return;
      newestAt = newest.at;
      onSent();
    });
  }, [store, timeline, onSent]);
}
