import type { StoredMessage, Timeline } from '@parley/client/store';
import { useEffect, useState } from 'react';
import { useStore } from '../provider.ts';

/**
 * What screen readers are to hear of a timeline: the newest message of others, a reply that is being written once it has
 * finished. `textOf` must be a stable function.
 */
export function useAnnouncement(timeline: Timeline, me: string, textOf: (message: StoredMessage) => string): string {
  const store = useStore();
  const [text, setText] = useState('');

  useEffect(() => {
    let last: string | undefined;
    let isFirst = true;
    const waiting = new Map<string, () => void>();
    const say = (id: string): boolean => {
      const message = store.message(id).get();
      if (!message || message.status === 'streaming') return false;
      if (!message.service) setText(textOf(message));
      return true;
    };
    const look = () => {
      const { ids, isLoaded, hasNewer } = timeline.get();
      if (!isLoaded || hasNewer) return;
      const at = last === undefined ? -1 : ids.lastIndexOf(last);
      // If the last message is not in the window the timeline has jumped: announce nothing.
      const fresh = isFirst || at < 0 ? [] : ids.slice(at + 1);
      isFirst = false;
      last = ids.at(-1);
      for (const id of fresh) {
        const message = store.message(id).get();
        if (!message || message.outbox || message.sender.username === me || say(id)) continue;
        const end = store.message(id).subscribe(() => {
          if (store.message(id).get() && !say(id)) return;
          waiting.get(id)?.();
          waiting.delete(id);
        });
        waiting.set(id, end);
      }
    };
    look();
    const end = timeline.subscribe(look);
    return () => {
      end();
      for (const stop of waiting.values()) stop();
    };
  }, [store, timeline, me, textOf]);

  return text;
}
