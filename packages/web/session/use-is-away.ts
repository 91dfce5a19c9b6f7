import type { ConnectionState } from '@parley/client';
import { useSession } from './session.ts';
import { useCell } from './use-cell.ts';

const awayStates: ReadonlySet<ConnectionState> = new Set(['waiting', 'offline']);

/** Whether the client waits for a connection. While it connects or catches up, an answer is still to be expected. */
export function useIsAway(): boolean {
  return awayStates.has(useCell(useSession().client.stateCell));
}
