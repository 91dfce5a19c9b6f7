import type { Chat } from '@parley/client/store';
import type { Conversation } from '@parley/protocol';
import { bestRank, nameRanker } from '@parley/protocol/name-rank';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { usePaused } from '../../calls/use-paused.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useIsAway } from '../../session/use-is-away.ts';
import { chatNames } from './chat-title.ts';

interface FoundChats {
  /** The best match first, among equal ones the newest activity; without a typed text all that are loaded. */
  readonly chats: readonly Chat[];
  readonly isLoading: boolean;
  readonly error: string | null;
  readonly reload: () => void;
}

/** Finds conversations by name, at most `most`: those that are loaded at once, all others with searchChats. */
export function useFoundChats(typed: string, most: number): FoundChats {
  const { client, store, username } = useSession();
  const { ids, hasMore } = useCell(store.chats);
  const isAway = useIsAway();
  const wanted = typed.trim();
  const query = usePaused(wanted);
  const load = useCallback(
    async (signal: AbortSignal): Promise<{ query: string; items: readonly Chat[] }> => {
      if (query === '' || !hasMore || isAway) return { query, items: [] };
      const { items } = await client.call('searchChats', { query, limit: most }, { signal });
      return { query, items: items.map((found) => store.chat(found.id).get() ?? asChat(found)) };
    },
    [client, store, query, most, hasMore, isAway],
  );
  const { value, error, reload } = useLoaded(load);
  const loaded = ids.flatMap((id) => store.chat(id).get() ?? []);
  const isCurrent = value?.query === wanted;
  const known = new Set(ids);
  const others = isCurrent ? value.items.filter(({ id }) => !known.has(id)) : [];
  const rankOf = nameRanker(wanted);
  const chats = [...loaded, ...others]
    .flatMap((chat) => {
      const rank = bestRank(rankOf, chatNames(chat, username));
      return rank === null ? [] : { chat, rank };
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ chat }) => chat);
  return { chats, isLoading: hasMore && wanted !== '' && !isCurrent && error === null, error, reload };
}

/** A conversation that is not in the store, as its rows are drawn. */
const asChat = (found: Conversation): Chat => ({ ...found, last_message_id: null });
