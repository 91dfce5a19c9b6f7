import type { StoredMessage } from '@parley/client/store';
import { useEffect, useSyncExternalStore } from 'react';
import { useSession } from './session.ts';
import { useMessageRow } from './use-message-row.ts';

/** The message that a row shows: of a reply with versions the current one, or the one that is looked at. */
export function useShownVersion(row: StoredMessage): StoredMessage {
  const { store, looks } = useSession();
  const id = useSyncExternalStore(looks.subscribe, () => looks.shownIn(row));
  const shown = useMessageRow(id);
  useEffect(() => {
    if (!shown) void store.loadMessages([id]).catch(() => undefined);
  }, [store, id, shown]);
  // Until it is loaded, and if it is hidden, the row shows its newest version.
  return shown ?? row;
}
