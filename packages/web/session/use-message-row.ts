import type { StoredMessage } from '@parley/client/store';
import { useSyncExternalStore } from 'react';
import { useSession } from './session.ts';

/** A message for everything around its text, which MessageText shows: does not render again while a reply streams. */
export function useMessageRow(id: string): StoredMessage | undefined {
  const { store, rows } = useSession();
  const cell = store.message(id);
  return useSyncExternalStore(cell.subscribe, rows.readerOf(cell));
}
