import type { Cell } from '@parley/client';
import type { Store, StoredMessage, Timeline } from '@parley/client/store';
import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from '../../session/session.ts';

/** How many of the newest messages are searched for streaming replies. */
const LOOKED_AT = 30;

/** The ids of a timeline's streaming replies. */
export const streamingIn = (store: Store, timeline: Timeline): string[] =>
  timeline
    .get()
    .ids.slice(-LOOKED_AT)
    .flatMap((id) => {
      const message = store.message(id).get();
      return message?.status === 'streaming' ? message.id : [];
    });

/** The same as a hook. It renders again when a reply starts or ends, not with each delta. */
export function useStreaming(timeline: Timeline): readonly string[] {
  const store = useStore();
  const read = useCallback(() => streamingIn(store, timeline).join(' '), [store, timeline]);
  const subscribe = useCallback(
    (listener: () => void) => {
      let watched = new Map<string, () => void>();
      const watch = () => {
        const before = watched;
        watched = new Map(
          timeline
            .get()
            .ids.slice(-LOOKED_AT)
            .map((id) => [id, before.get(id) ?? onStatus(store.message(id), listener)]),
        );
        for (const [id, end] of before) if (!watched.has(id)) end();
      };
      const end = timeline.subscribe(() => {
        watch();
        listener();
      });
      watch();
      return () => {
        end();
        for (const stop of watched.values()) stop();
      };
    },
    [store, timeline],
  );
  const found = useSyncExternalStore(subscribe, read);
  return found === '' ? [] : found.split(' ');
}

/** Calls the listener when the message's status changes, not when its text grows. */
function onStatus(cell: Cell<StoredMessage | undefined>, listener: () => void): () => void {
  let status = cell.get()?.status;
  return cell.subscribe(() => {
    const now = cell.get()?.status;
    if (now === status) return;
    status = now;
    listener();
  });
}
