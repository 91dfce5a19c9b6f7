import type { ConnectionState, TimelineKey } from '@parley/client';
import {
  type Chat,
  type ChatList,
  shownIn,
  type StoredMessage,
  type Timeline,
  type TimelineState,
} from '@parley/client/store';
import type { Actor } from '@parley/protocol';
import { useEffect, useMemo } from 'react';
import { useStore } from './provider.ts';
import { useStoreCell } from './use-store-cell.ts';

export interface Chats extends ChatList {
  readonly loadMore: () => Promise<void>;
}

export type ShownTimeline = TimelineState & Pick<Timeline, 'loadOlder' | 'loadNewer' | 'jumpTo' | 'jumpToNewest'>;

/** The list of conversations: ids for `useChat`, most recent activity first. */
export function useChats(): Chats {
  const store = useStore();
  const list = useStoreCell(({ chats }) => chats);
  return useMemo(() => ({ ...list, loadMore: () => store.loadMoreChats() }), [store, list]);
}

export const useChat = (chatId: string): Chat | undefined => useStoreCell((store) => store.chat(chatId));

/** A window of a timeline and its actions. Its `rows` are keys for `useMessage`; a text that grows does not render it. */
export function useTimeline(key: TimelineKey): ShownTimeline {
  // The same Timeline for an equal key.
  const timeline = useStore().timeline(key);
  const shown = useStoreCell((store) => store.timeline(key));
  return useMemo(() => {
    const { loadOlder, loadNewer, jumpTo, jumpToNewest } = timeline;
    return { ...shown, loadOlder, loadNewer, jumpTo, jumpToNewest };
  }, [timeline, shown]);
}

/** A message by id or key; renders with each piece of a reply that is being written. */
export const useMessage = (idOrKey: string): StoredMessage | undefined =>
  useStoreCell((store) => store.message(idOrKey));

/**
 * The message that a row of a timeline shows. For a reply with several versions this is the chosen one; until that is loaded,
 * and if the user may not see it, the row's own message.
 */
export function useShownMessage(row: string): StoredMessage | undefined {
  const store = useStore();
  const own = useMessage(row);
  const id = own ? shownIn(own) : row;
  const shown = useMessage(id);
  const isMissing = own !== undefined && shown === undefined;
  useEffect(() => {
    if (isMissing) store.loadMessages([id]).catch(() => undefined);
  }, [store, id, isMissing]);
  return shown ?? own;
}

/** The accounts that are typing in a timeline. */
export const useTyping = (key: TimelineKey): readonly Actor[] => useStoreCell((store) => store.typing(key));

export const useConnection = (): ConnectionState => useStoreCell((store) => store.client.stateCell);
