import type { Store } from '@parley/client/store';
import type { Account } from '@parley/protocol';
import { bestRank, nameRanker } from '@parley/protocol/name-rank';
import { useCallback } from 'react';
import { mayBeginChat } from '../../session/may-begin-chat.ts';
import { useSession } from '../../session/session.ts';
import { useIsAway } from '../../session/use-is-away.ts';
import { type Loaded, useLoaded } from '../../calls/use-loaded.ts';
import { usePaused } from '../../calls/use-paused.ts';

const MOST = 30;

export interface People extends Loaded<readonly Account[]> {
  /** The results belong to an earlier text. */
  readonly isLate: boolean;
}

/**
 * People and agents that getUsers finds for the typed text (ACCT-8); none for an empty search. With `toChat`, only those
 * with whom the user may begin a chat.
 */
export function usePeopleSearch(typed: string, { toChat = false } = {}): People {
  const session = useSession();
  const { client, store } = session;
  const isAway = useIsAway();
  const wanted = typed.trim().replace(/^@/, '').toLowerCase();
  const query = usePaused(wanted);
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Account[]> => {
      // Guests find nobody (ENTER-5): they are offered whom they know.
      if (query === '' || !session.may('getUsers')) return [];
      if (isAway) return knownPeople(store, query);
      const { items } = await client.call('getUsers', { query, limit: MOST }, { signal });
      const found = items.filter((account) => account.is_deleted !== true);
      if (!toChat) return found;
      const may = await Promise.all(found.map(({ username }) => mayBeginChat(session, username)));
      return found.filter((_account, at) => may[at]);
    },
    [client, store, session, query, toChat, isAway],
  );
  const loaded = useLoaded(load);
  return { ...loaded, isLate: query !== wanted };
}

/** The people of conversations that this device has, without a connection. */
function knownPeople(store: Store, query: string): Account[] {
  const rankOf = nameRanker(query);
  const names = new Set(
    store.chats.get().ids.flatMap(
      (id) =>
        store
          .chat(id)
          .get()
          ?.participants.map(({ username }) => username) ?? [],
    ),
  );
  return Array.from(names)
    .flatMap((username) => store.account(username).get() ?? [])
    .filter(({ username, display_name }) => bestRank(rankOf, [display_name, username]) !== null)
    .slice(0, MOST);
}
