import { useMemo } from 'react';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { agentOf } from '../chat/chat-title.ts';
import { useBeginChat } from '../chat/use-begin-chat.ts';
import { useFoundChats } from '../chat/use-found-chats.ts';
import { usePeopleSearch } from '../people/use-people-search.ts';
import { commandsFor, type PagesToOpen } from './palette-commands.ts';
import { type PaletteGroup, type PaletteItem, paletteGroups } from './palette-items.ts';
import { useMessageSearch } from './use-message-search.ts';

const MOST_CHATS = 6;

export interface PaletteResults {
  readonly groups: readonly PaletteGroup[];
  /** The rows of all groups, in their order. */
  readonly items: readonly PaletteItem[];
  /** What is being searched for. */
  readonly busy: 'messages' | 'conversations' | null;
  readonly error: string | null;
  readonly reload: () => void;
  readonly loadMore: () => Promise<void>;
}

/**
 * Finds conversations, people, commands and messages for the typed text; with a `scopeId`, messages of that
 * conversation.
 */
export function usePaletteResults(
  typed: string,
  scopeId: string | null,
  pages: PagesToOpen | undefined,
): PaletteResults {
  const session = useSession();
  const { store, username } = session;
  const navigate = useNavigate();
  const begin = useBeginChat();
  const route = useRoute();
  const openChat = useCell(store.chat(route.name === 'chat' ? route.chatId : '')) ?? null;
  const everywhere = scopeId === null ? typed : '';
  const found = useFoundChats(everywhere, MOST_CHATS);
  const people = usePeopleSearch(everywhere);
  const search = useMessageSearch(typed, scopeId);
  const commands = useMemo(
    () =>
      commandsFor({
        session,
        navigate,
        begin,
        openChat,
        openAgent: openChat ? agentOf(openChat, username) : undefined,
        pages,
      }),
    [session, navigate, begin, openChat, username, pages],
  );

  const groups = paletteGroups({
    typed,
    chats: found.chats,
    people: everywhere.trim() === '' ? [] : (people.value ?? []),
    commands,
    hits: search.hits,
    hasMore: search.hasMore,
    isScoped: scopeId !== null,
    openChat,
  });
  return {
    groups,
    items: groups.flatMap((group) => group.items),
    busy: search.isLoading || search.isLoadingMore ? 'messages' : found.isLoading ? 'conversations' : null,
    error: search.error ?? found.error,
    reload: () => {
      search.reload();
      found.reload();
    },
    loadMore: search.loadMore,
  };
}
