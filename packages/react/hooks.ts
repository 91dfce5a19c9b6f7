import type { ConnectionState, TimelineKey } from '@parley/client';
import type { Chat, ChatList, StoredMessage, Timeline, TimelineState } from '@parley/client/store';
import type { Actor } from '@parley/protocol';
import { useClient, useStore } from './provider.ts';
import { useCell } from './use-cell.ts';

export interface Chats extends ChatList {
  readonly loadMore: () => Promise<void>;
}

export type ShownTimeline = TimelineState & Pick<Timeline, 'loadOlder' | 'loadNewer' | 'jumpTo' | 'jumpToNewest'>;

/** The list of conversations: ids for `useChat`, most recent activity first. */
export function useChats(): Chats {
  const store = useStore();
  return { ...useCell(store.chats), loadMore: () => store.loadMoreChats() };
}

export const useChat = (chatId: string): Chat | undefined => useCell(useStore().chat(chatId));

/** A window of a timeline and its actions. Its `rows` are keys for `useMessage`; a text that grows does not render it. */
export function useTimeline(key: TimelineKey): ShownTimeline {
  // The same Timeline for an equal key.
  const timeline = useStore().timeline(key);
  const { loadOlder, loadNewer, jumpTo, jumpToNewest } = timeline;
  return { ...useCell(timeline), loadOlder, loadNewer, jumpTo, jumpToNewest };
}

/** A message by id or key; renders with each piece of a reply that is being written. */
export const useMessage = (idOrKey: string): StoredMessage | undefined => useCell(useStore().message(idOrKey));

/** The accounts that are typing in a timeline. */
export const useTyping = (key: TimelineKey): readonly Actor[] => useCell(useStore().typing(key));

export const useConnection = (): ConnectionState => useCell(useClient().stateCell);
