import { useState } from 'react';
import { useConnection } from './hooks.ts';
import { useStoreCell } from './use-store-cell.ts';

/**
 * Why nothing is loaded. `failing`: an attempt to connect has failed, and none has succeeded since. `refused`: the service
 * refuses the token. Null while the client is connected, connects for the first time, or is closed by the app (HOOK-12,
 * HOOK-13).
 */
export function useTrouble(): 'failing' | 'refused' | null {
  const state = useConnection();
  const closeReason = useStoreCell(({ client }) => ({
    get: () => client.closeReason,
    subscribe: client.stateCell.subscribe,
  }));
  const [isFailing, setIsFailing] = useState(false);
  // Each attempt passes through `connecting`, which does not say whether the one before it failed.
  const isFailingNow = state === 'waiting' || state === 'offline' || (state === 'connecting' && isFailing);
  if (isFailingNow !== isFailing) setIsFailing(isFailingNow);
  if (closeReason !== null && closeReason !== 'closed') return 'refused';
  return isFailingNow ? 'failing' : null;
}
