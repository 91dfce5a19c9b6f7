import type { Timeline } from '@parley/client/store';
import { afterMeasuring, type Goal } from '@parley/react';
import { useCallback } from 'react';
import { useSignal } from '../../../composer/composing/composing.ts';
import { useStore } from '../../../session/session.ts';

/** After an edit of a message that agents have answered, brings it into view: the offer to answer again is there. */
export function useEdited(timeline: Timeline, go: (goal: Goal) => void): void {
  const store = useStore();
  const show = useCallback(
    (id: string) => {
      const isAnswer = (row: string): boolean => {
        const reply = store.message(row).get();
        return reply?.reply_to_id === id && reply.sender.kind === 'agent';
      };
      if (!timeline.get().rows.some(isAnswer)) return;
      // The row of a message that was sent from this page has another key than its id.
      const key = store.message(id).get()?.key ?? id;
      // At the end the list would stay there while it measures the offer.
      afterMeasuring(() => go({ key, align: 'auto' }));
    },
    [store, timeline, go],
  );
  useSignal('edited', timeline.key, show);
}
