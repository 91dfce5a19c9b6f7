import { ApiError } from '@parley/client';
import type { Result } from '@parley/protocol';
import { useCallback, useMemo, useState } from 'react';
import type { Attachment } from '../../files/attachment.ts';
import { useSession } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { usePaused } from '../../calls/use-paused.ts';
import { useIsAway } from '../../session/use-is-away.ts';
import { localHits } from './local-search.ts';
import { messageQuery, type SearchText } from './search-text.ts';

type Page = Result<'searchMessages'>;
export type Hit = Page['items'][number];
/** The file of the message in which the words were found; undefined if the message itself has them. */
export const fileOf = ({ message, file_id: fileId }: Hit): Attachment | undefined =>
  fileId === undefined ? undefined : message.attachments.find(({ id }) => id === fileId);

type Asked = ReturnType<typeof messageQuery> & { readonly chat_id: string | undefined };

interface Found {
  readonly asked: Asked;
  readonly items: readonly Hit[];
  readonly cursor: string | undefined;
}

const PAGE = 20;
/** Maximum number of empty pages requested in a row: an empty page is not always the last. */
const MAX_EMPTY_PAGES = 5;
const hasWord = ({ query }: Asked): boolean => /[\p{L}\p{N}]/u.test(query);

/** Searches messages as the typed text says, in one conversation or in all. */
export function useMessageSearch(typed: SearchText, chatId: string | null) {
  const { client, store } = useSession();
  const isAway = useIsAway();
  const { query, sender, has, before, after } = messageQuery(typed);
  const wanted = useMemo<Asked>(
    () => ({ query, sender, has, before, after, chat_id: chatId ?? undefined }),
    [query, sender, has, before, after, chatId],
  );
  const asked = usePaused(wanted, 280);
  const [more, setMore] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null });

  const search = useCallback(
    async (given: Asked, cursor: string | undefined, signal?: AbortSignal): Promise<Found> => {
      let page: Page = { items: [], ...(cursor !== undefined && { next_cursor: cursor }) };
      for (let pages = 0; pages < MAX_EMPTY_PAGES && page.items.length === 0; pages += 1) {
        if (pages > 0 && page.next_cursor === undefined) break;
        const params = { ...given, limit: PAGE, cursor: page.next_cursor };
        page = await client.call('searchMessages', params, signal ? { signal } : {}).catch(orNothing);
      }
      return { asked: given, items: page.items, cursor: page.next_cursor };
    },
    [client],
  );
  const load = useCallback(
    async (signal: AbortSignal): Promise<Found> => {
      if (isAway) return { asked, items: localHits(store, asked), cursor: undefined };
      return hasWord(asked) ? search(asked, undefined, signal) : { asked, items: [], cursor: undefined };
    },
    [search, store, asked, isAway],
  );
  const { value, error, reload, change } = useLoaded(load);

  async function loadMore() {
    if (value?.cursor === undefined || more.isBusy) return;
    setMore({ isBusy: true, error: null });
    try {
      const next = await search(value.asked, value.cursor);
      // The user may search for something else by now.
      change((now) => (now === value ? { ...next, items: [...value.items, ...next.items] } : now));
      setMore({ isBusy: false, error: null });
    } catch (failure) {
      setMore({ isBusy: false, error: errorText(failure) });
    }
  }

  const isShown = value?.asked === wanted;
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

/** Nothing is found of an account that does not exist, or in a conversation that was deleted. */
function orNothing(failure: unknown): Page {
  if (failure instanceof ApiError && failure.code === 'not_found') return { items: [] };
  throw failure;
}

export type MessageSearch = ReturnType<typeof useMessageSearch>;
