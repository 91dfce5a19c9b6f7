import type { ConnectionState, TimelineKey } from '@parley/client';
import type { Chat, ChatList, StoredMessage, Timeline, TimelineState } from '@parley/client/store';
import type { Actor } from '@parley/protocol';
import { useStore } from './provider.ts';
import { useStoreCell } from './use-store-cell.ts';

export interface Chats extends ChatList {
  readonly loadMore: () => Promise<void>;
}

export type ShownTimeline = TimelineState & Pick<Timeline, 'loadOlder' | 'loadNewer' | 'jumpTo' | 'jumpToNewest'>;

/** The list of conversations: ids for `useChat`, most recent activity first. */
export function useChats(): Chats {
  const store = useStore();
  return { ...useStoreCell(({ chats }) => chats), loadMore: () => store.loadMoreChats() };
}

export const useChat = (chatId: string): Chat | undefined => useStoreCell((store) => store.chat(chatId));

/** A window of a timeline and its actions. Its `rows` are keys for `useMessage`; a text that grows does not render it. */
export function useTimeline(key: TimelineKey): ShownTimeline {
  // The same Timeline for an equal key.
  const { loadOlder, loadNewer, jumpTo, jumpToNewest } = useStore().timeline(key);
  return { ...useStoreCell((store) => store.timeline(key)), loadOlder, loadNewer, jumpTo, jumpToNewest };
}

/** A message by id or key; renders with each piece of a reply that is being written. */
export const useMessage = (idOrKey: string): StoredMessage | undefined =>
  useStoreCell((store) => store.message(idOrKey));

/** The accounts that are typing in a timeline. */
export const useTyping = (key: TimelineKey): readonly Actor[] => useStoreCell((store) => store.typing(key));

export const useConnection = (): ConnectionState => useStoreCell((store) => store.client.stateCell);
