import type { Chat } from '@parley/client/store';
import type { Role } from '@parley/protocol';
import { useEffect } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';

/** The reader's role in a group. Of a large group the members are loaded until it is found; undefined until then. */
export function useOwnRole(chat: Chat, isWanted: boolean): Role | undefined {
  const { store, username } = useSession();
  const { items, hasMore, isLoaded } = useCell(store.members(chat.id));
  const own = [...chat.participants, ...items].find((one) => one.username === username);
  const isMissing = isWanted && !own && (hasMore || !isLoaded);
  useEffect(() => {
    if (isMissing) void store.loadMembers(chat.id).catch(() => undefined);
  }, [store, chat.id, isMissing, items.length]);
  return own?.role;
}
