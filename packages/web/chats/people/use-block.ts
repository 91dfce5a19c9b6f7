import { createContext, use, useEffect } from 'react';
import { useCell } from '../../session/use-cell.ts';
import type { BlockedNames } from './blocked-names.ts';

export const BlockedNamesContext = createContext<BlockedNames | null>(null);

export function useBlockedNames(): BlockedNames {
  const names = use(BlockedNamesContext);
  if (!names) throw new Error('this component needs a BlockedNamesContext around it');
  return names;
}

/** The name that is blocked: one's own, or for an agent that of its owner (BLOCK-8). null: neither is, or it is not known. */
export function useBlock(username: string | null): string | null {
  const blocked = useBlockedNames();
  const names = useCell(blocked);
  useEffect(() => {
    // Where it does not come the service refuses what a block forbids, and says why.
    if (username !== null) void blocked.load().catch(() => undefined);
  }, [blocked, username]);
  if (username === null || !names) return null;
  const owner = username.split(':', 1)[0] ?? username;
  return names.has(username) ? username : names.has(owner) ? owner : null;
}
