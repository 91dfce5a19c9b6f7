import { createContext, use, useEffect } from 'react';
import { useCell } from '../../session/use-cell.ts';
import type { BlockedNames } from './blocked-names.ts';

export const BlockedNamesContext = createContext<BlockedNames | null>(null);

export function useBlockedNames(): BlockedNames {
  const names = use(BlockedNamesContext);
  if (!names) throw new Error('this component needs a BlockedNamesContext around it');
  return names;
}

/** The blocked name that applies to an account: its own, or an agent's owner's (BLOCK-8); null if none. */
export function useBlock(username: string | null): string | null {
  const blocked = useBlockedNames();
  const names = useCell(blocked);
  useEffect(() => {
    // If loading fails the service still enforces the block and says why.
    if (username !== null) void blocked.load().catch(() => undefined);
  }, [blocked, username]);
  if (username === null || !names) return null;
  const owner = username.split(':', 1)[0] ?? username;
  return names.has(username) ? username : names.has(owner) ? owner : null;
}
