import type { Result } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { usePaused } from '../../calls/use-paused.ts';

type Page = Result<'searchMessages'>;
export type Hit = Page['items'][number];

interface Found {
  readonly query: string;
  readonly items: readonly Hit[];
  readonly cursor: string | undefined;
}

const PAGE = 20;
/** Maximum number of empty pages requested in a row: an empty page is not always the last. */
const MOST_EMPTY_PAGES = 5;
const hasWord = (query: string): boolean => /[\p{L}\p{N}]/u.test(query);

/** Searches messages for the typed words, in one conversation or in all. */
export function useMessageSearch(typed: string, chatId: string | null) {
  const { client } = useSession();
  const wanted = typed.trim();
  const query = usePaused(wanted, 280);
  const [more, setMore] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null });

  const search = useCallback(
    async (text: string, cursor: string | undefined, signal?: AbortSignal): Promise<Found> => {
      const scope = chatId === null ? {} : { chat_id: chatId };
      let page: Page = { items: [], ...(cursor !== undefined && { next_cursor: cursor }) };
      for (let asked = 0; asked < MOST_EMPTY_PAGES && page.items.length === 0; asked += 1) {
        if (asked > 0 && page.next_cursor === undefined) break;
        const params = { query: text, ...scope, limit: PAGE, cursor: page.next_cursor };
        page = await client.call('searchMessages', params, signal ? { signal } : {});
      }
      return { query: text, items: page.items, cursor: page.next_cursor };
    },
    [client, chatId],
  );
  const load = useCallback(
    async (signal: AbortSignal): Promise<Found> =>
      hasWord(query) ? search(query, undefined, signal) : { query, items: [], cursor: undefined },
    [search, query],
  );
  const { value, error, reload, put } = useLoaded(load);

  async function loadMore() {
    if (value?.cursor === undefined || more.isBusy) return;
    setMore({ isBusy: true, error: null });
    try {
      const next = await search(value.query, value.cursor);
      put({ ...next, items: [...value.items, ...next.items] });
      setMore({ isBusy: false, error: null });
    } catch (failure) {
      setMore({ isBusy: false, error: errorText(failure) });
    }
  }

  const isShown = value?.query === wanted;
  return {
    hits: isShown ? value.items : [],
    hasMore: isShown && value.cursor !== undefined,
    isLoading: hasWord(wanted) && !isShown && error === null,
    isLoadingMore: more.isBusy,
    error: error ?? more.error,
    reload,
    loadMore,
  };
}

export type MessageSearch = ReturnType<typeof useMessageSearch>;
