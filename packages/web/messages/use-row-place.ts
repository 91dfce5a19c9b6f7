import type { Store } from '@parley/client/store';
import { useCallback, useSyncExternalStore } from 'react';
import { placeOf, type RowPlace } from './timeline-rows.ts';

const places: readonly RowPlace[] = [false, true].flatMap((startsDay) =>
  [false, true].map((isJoined) => ({ startsDay, isJoined })),
);
const alone: RowPlace = { startsDay: true, isJoined: false };

/** How a message stands below the one before it. A word that the one before grows by changes nothing here. */
export function useRowPlace(store: Store, id: string, before: string | undefined): RowPlace {
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [store.message(id).subscribe(listener), store.message(before ?? '').subscribe(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    [store, id, before],
  );
  return useSyncExternalStore(subscribe, () => {
    const message = store.message(id).get();
    if (!message) return alone;
    const { startsDay, isJoined } = placeOf(message, store.message(before ?? '').get());
    // The same object each time.
    return places[(startsDay ? 2 : 0) + (isJoined ? 1 : 0)] ?? alone;
  });
}
