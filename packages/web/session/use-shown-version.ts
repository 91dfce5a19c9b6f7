import type { StoredMessage } from '@parley/client/store';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { nowAndWhenLive } from './now-and-when-live.ts';
import { useSession } from './session.ts';
import { useMessageRow } from './use-message-row.ts';

interface ShownVersion {
  readonly message: StoredMessage;
  /** Whether another version is to be shown, and is not loaded yet. */
  readonly isLoading: boolean;
}

/** The message that a row shows: of a reply with versions the current one, or the one that is looked at. */
export function useShownVersion(row: StoredMessage): ShownVersion {
  const { client, store, looks } = useSession();
  const id = useSyncExternalStore(looks.subscribe, () => looks.shownIn(row));
  const shown = useMessageRow(id);
  const isMissing = shown === undefined;
  /** The version that the service does not show to the user. */
  const [hidden, setHidden] = useState<string | null>(null);
  useEffect(() => {
    if (!isMissing) return undefined;
    let isGone = false;
    const end = nowAndWhenLive(client, () => {
      store.loadMessages([id]).then(
        () => isGone || setHidden(id),
        () => undefined,
      );
    });
    return () => {
      isGone = true;
      end();
    };
  }, [client, store, id, isMissing]);
  // Until it is loaded, and if it is hidden, the row shows its newest version.
  return { message: shown ?? row, isLoading: isMissing && hidden !== id };
}
