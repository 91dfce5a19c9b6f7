import type { Chat } from '@parley/client/store';
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
import { hasModifier, type SearchText } from './search-text.ts';
import { useMessageSearch } from './use-message-search.ts';
import { useSenders } from './use-senders.ts';

const MAX_CHATS = 6;

type Sought = 'people' | 'messages' | 'conversations';

export interface PaletteResults {
  readonly groups: readonly PaletteGroup[];
  /** The rows of all groups, in their order. */
  readonly items: readonly PaletteItem[];
  /** The conversation behind the palette. */
  readonly openChat: Chat | null;
  /** What is being searched for. */
  readonly busy: Sought | null;
  readonly error: string | null;
  readonly reload: () => void;
  readonly loadMore: () => Promise<void>;
}

/**
 * Finds conversations, people, commands and messages for the typed text; with a `scopeId` or another filter, messages
 * alone; while a `from:` is typed, whom it may mean.
 */
export function usePaletteResults(
  typed: string,
  search: SearchText,
  scopeId: string | null,
  pages: PagesToOpen | undefined,
): PaletteResults {
  const session = useSession();
  const { store, username } = session;
  const navigate = useNavigate();
  const begin = useBeginChat();
  const route = useRoute();
  const openChat = useCell(store.chat(route.name === 'chat' ? route.chatId : '')) ?? null;
  const scope = useCell(store.chat(scopeId ?? '')) ?? openChat;
  const { open } = search;
  const isFiltered = scopeId !== null || hasModifier(search);
  const everywhere = isFiltered ? '' : typed;
  const found = useFoundChats(everywhere, MAX_CHATS);
  const people = usePeopleSearch(everywhere, { toChat: true });
  const messages = useMessageSearch(search, scopeId);
  const senders = useSenders(open?.name === 'from' ? open.value : '', scope);
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
    hits: messages.hits,
    hasMore: messages.hasMore,
    isFiltered,
    senders: open === null ? null : open.name === 'from' ? senders.people : [],
  });
  return {
    groups,
    items: groups.flatMap((group) => group.items),
    openChat,
    busy: busyWith({
      people: open !== null && senders.isLoading,
      messages: open === null && (messages.isLoading || messages.isLoadingMore),
      conversations: found.isLoading,
    }),
    error: open === null ? (messages.error ?? found.error) : senders.error,
    reload: () => {
      messages.reload();
      found.reload();
      senders.reload();
    },
    loadMore: messages.loadMore,
  };
}

const busyWith = ({ people, messages, conversations }: Record<Sought, boolean>): Sought | null =>
  people ? 'people' : messages ? 'messages' : conversations ? 'conversations' : null;
