import { useEffect } from 'react';
import { useRoute } from '../../browser/navigation.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { agentOf, chatTitle } from '../chat/chat-title.ts';
import { usePeopleSearch } from '../people/use-people-search.ts';
import { type PaletteGroup, type PaletteItem, paletteGroups } from './palette-items.ts';
import { type MessageSearch, useMessageSearch } from './use-message-search.ts';

interface PaletteResults {
  readonly groups: readonly PaletteGroup[];
  /** The rows of all groups, in their order. */
  readonly items: readonly PaletteItem[];
  readonly search: MessageSearch;
}

/** Finds conversations, people and messages for the typed text; with a `scopeId`, messages of that conversation. */
export function usePaletteResults(typed: string, scopeId: string | null): PaletteResults {
  const { store, username } = useSession();
  const route = useRoute();
  const { ids, hasMore: hasMoreChats } = useCell(store.chats);
  const openChat = useCell(store.chat(route.name === 'chat' ? route.chatId : ''));
  const people = usePeopleSearch(scopeId === null ? typed : '');
  const search = useMessageSearch(typed, scopeId);
  const isTyped = typed.trim() !== '';
  useEffect(() => {
    // Only loaded conversations can be found: load all pages.
    if (isTyped && hasMoreChats) void store.loadMoreChats();
  }, [store, isTyped, hasMoreChats, ids]);

  const groups = paletteGroups({
    typed,
    chats: ids.flatMap((id) => {
      const chat = store.chat(id).get();
      return chat ? [{ chat, title: chatTitle(chat, username) }] : [];
    }),
    people: isTyped ? (people.value ?? []) : [],
    hits: search.hits,
    hasMore: search.hasMore,
    isScoped: scopeId !== null,
    openChat: openChat ?? null,
    openAgent: openChat && agentOf(openChat, username),
  });
  return { groups, items: groups.flatMap((group) => group.items), search };
}
