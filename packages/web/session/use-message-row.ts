import type { StoredMessage } from '@parley/client/store';
import { useSyncExternalStore } from 'react';
import { useSession } from './session.ts';

/** A message without its growing text and parts, which MessageText reads itself: does not render again while a reply streams. */
export function useMessageRow(id: string): StoredMessage | undefined {
  const { store, rows } = useSession();
  const cell = store.message(id);
  return useSyncExternalStore(cell.subscribe, rows.readerOf(cell));
}
