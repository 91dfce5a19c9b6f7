import type { Account } from '@parley/protocol';
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { type Loaded, useLoaded } from '../../calls/use-loaded.ts';
import { usePaused } from '../../calls/use-paused.ts';

const MOST = 30;

export interface People extends Loaded<readonly Account[]> {
  /** The results belong to an earlier text. */
  readonly isLate: boolean;
}

/** People and agents that getUsers finds for the typed text (ACCT-8); none for an empty search. */
export function usePeopleSearch(typed: string): People {
  const { client } = useSession();
  const wanted = typed.trim().replace(/^@/, '').toLowerCase();
  const query = usePaused(wanted);
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Account[]> => {
      if (query === '') return [];
      const { items } = await client.call('getUsers', { query, limit: MOST }, { signal });
      return items.filter((account) => account.is_deleted !== true);
    },
    [client, query],
  );
  const loaded = useLoaded(load);
  return { ...loaded, isLate: query !== wanted };
}
