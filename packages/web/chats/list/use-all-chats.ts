import type { ChatList } from '@parley/client/store';
import { useEffect } from 'react';
import { useStore } from '../../session/session.ts';

/** Maximum number of conversations loaded up front; older ones load when the list is scrolled to its end. */
const MAX_LOADED = 1_000;
const RETRY_MS = 5_000;

/**
 * Loads conversations page by page, so that the unread total is complete; each page once the rows of the previous one are
 * rendered. Returns whether more pages follow the rendered ones. At most `most` are loaded.
 */
export function useAllChats({ ids, isLoaded, hasMore }: ChatList, most = MAX_LOADED): boolean {
  const store = useStore();
  const isLoading = !isLoaded || (hasMore && ids.length < most);
  useEffect(() => {
    if (!isLoaded || !isLoading) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const load = () => {
      store.loadMoreChats().catch(() => (timer = setTimeout(load, RETRY_MS)));
    };
    // Deferred until after the first paint.
    timer = setTimeout(load);
    return () => clearTimeout(timer);
  }, [store, isLoaded, isLoading, ids]);
  return isLoading;
}
