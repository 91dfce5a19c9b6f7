import type { Client } from '@parley/client';
import { useEffect } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { BlockedNames } from './blocked-names.ts';

const known = new WeakMap<Client, BlockedNames>();

/** Of the session: known to all who ask. */
export function useBlockedNames(): BlockedNames {
  const { client } = useSession();
  let names = known.get(client);
  if (!names) known.set(client, (names = new BlockedNames(client)));
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
