import { useEffect } from 'react';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';

/** Conversations that are loaded without being asked for; what is older comes when the list is scrolled to its end. */
const MAX_LOADED = 1_000;
const RETRY_MS = 5_000;

/** Loads the conversations page by page, so that the title counts all of them. Answers whether more pages will come. */
export function useAllChats(): boolean {
  const store = useStore();
  const { ids, isLoaded, hasMore } = useCell(store.chats);
  const isLoading = !isLoaded || (hasMore && ids.length < MAX_LOADED);
  useEffect(() => {
    if (!isLoaded || !isLoading) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const load = () => {
      store.loadMoreChats().catch(() => (timer = setTimeout(load, RETRY_MS)));
    };
    // After what the page shows first.
    timer = setTimeout(load);
    return () => clearTimeout(timer);
  }, [store, isLoaded, isLoading, ids]);
  return isLoading;
}
