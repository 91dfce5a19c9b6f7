import type { Account } from '@parley/protocol';
import { useCallback } from 'react';
import { mayBeginChat } from '../../session/may-begin-chat.ts';
import { useSession } from '../../session/session.ts';
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
  const { client } = session;
  const wanted = typed.trim().replace(/^@/, '').toLowerCase();
  const query = usePaused(wanted);
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Account[]> => {
      if (query === '') return [];
      const { items } = await client.call('getUsers', { query, limit: MOST }, { signal });
      const found = items.filter((account) => account.is_deleted !== true);
      if (!toChat) return found;
      const may = await Promise.all(found.map(({ username }) => mayBeginChat(session, username)));
      return found.filter((_account, at) => may[at]);
    },
    [client, session, query, toChat],
  );
  const loaded = useLoaded(load);
  return { ...loaded, isLate: query !== wanted };
}
