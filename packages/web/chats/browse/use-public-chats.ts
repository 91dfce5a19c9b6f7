// Finding public groups. May import: chats/chat and the rooms below chats.
import { useCallback } from 'react';
import { usePages } from '../../calls/use-pages.ts';
import { usePaused } from '../../calls/use-paused.ts';
import { useSession } from '../../session/session.ts';

const PAGE = 50;

/** The public groups that the typed words find, in pages. */
export function usePublicChats(typed: string) {
  const { client } = useSession();
  const query = usePaused(typed.trim());
  const fetch = useCallback(
    async (cursor: string | undefined, signal?: AbortSignal) => ({
      ...(await client.call('browseChats', { query, limit: PAGE, cursor }, signal && { signal })),
      query,
    }),
    [client, query],
  );
  return usePages(fetch);
}
