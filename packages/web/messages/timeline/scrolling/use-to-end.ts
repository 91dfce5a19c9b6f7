import type { Timeline } from '@parley/client/store';
import { useCallback } from 'react';
import { useSignal } from '../../../composer/composing/composing.ts';
import type { Goal } from './use-opening.ts';

/** Returns a function that scrolls to the newest message. After sending a message the list goes there too. */
export function useToEnd(timeline: Timeline, go: (goal: Goal | null) => void): () => void {
  const toEnd = useCallback(() => {
    const load = async (): Promise<void> => {
      go(null);
      if (timeline.get().hasNewer) await timeline.jumpToNewest();
      go({ key: null, align: 'start' });
    };
    void load();
  }, [timeline, go]);
  useSignal('sent', timeline.key, toEnd);
  return toEnd;
}
