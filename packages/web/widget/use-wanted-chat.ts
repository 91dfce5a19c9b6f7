import { useCallback, useSyncExternalStore } from 'react';
import { partnerOf } from '../chats/chat/chat-title.ts';
import { useSession } from '../session/session.ts';

const isId = (wanted: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(wanted);

/**
 * The id of a conversation, given as it is or as the username of the agent in a direct chat. Undefined while the
 * conversations load, null if there is none.
 */
export function useWantedChat(wanted: string): string | null | undefined {
  const { store, username } = useSession();
  const find = useCallback(() => {
    if (isId(wanted)) return wanted;
    const { ids, isLoaded } = store.chats.get();
    const found = ids.find((id) => {
      const chat = store.chat(id).get();
      return chat?.kind === 'direct' && !chat.is_separate && partnerOf(chat, username)?.username === wanted;
    });
    return found ?? (isLoaded ? null : undefined);
  }, [store, username, wanted]);
  return useSyncExternalStore(store.chats.subscribe, find);
}
