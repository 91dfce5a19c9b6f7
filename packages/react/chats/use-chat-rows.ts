import type { ChatList } from '@parley/client/store';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { useStore } from '../provider.ts';

/** Number of rows at first, and of those added each time: more than a screen has. */
const STEP = 50;
/** Distance from the end of the rows, in pixels, at which more are added. */
const NEAR_END = 800;

interface ListPlaces {
  list: RefObject<HTMLElement | null>;
  /** Stands after the last row. */
  end: RefObject<HTMLElement | null>;
}

interface RowsInput {
  chats: Pick<ChatList, 'hasMore'>;
  /** All that may have a row. */
  ids: readonly string[];
  openId: string | null;
}

/**
 * The conversations that have a row: as far as the reader has scrolled, and the open one (WEB-190, HOOK-8). After the last of
 * those that are loaded, older ones are loaded.
 */
export function useChatRows({ list, end }: ListPlaces, { chats, ids, openId }: RowsInput): readonly string[] {
  const store = useStore();
  const [count, setCount] = useState(STEP);
  const openAt = openId === null ? -1 : ids.indexOf(openId);
  if (openAt >= count) setCount(openAt + STEP);
  const isCut = count < ids.length;
  const { hasMore } = chats;

  // Also after each page that adds no rows here: the end is then still near.
  useEffect(() => {
    const mark = end.current;
    if (!mark || !(isCut || hasMore)) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        if (isCut) setCount(count + STEP);
        else void store.loadMoreChats().catch(() => undefined);
      },
      { root: list.current, rootMargin: `${NEAR_END}px 0px` },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [store, list, end, isCut, count, hasMore, chats]);

  return useMemo(() => ids.slice(0, count), [ids, count]);
}
