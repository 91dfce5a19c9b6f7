import type { Chat, ChatList } from '@parley/client/store';
import { agentOf } from '../chat/chat-title.ts';

/** What the list shows: everything outside the archive, a part of it, or the archive. */
export type ListFilter = 'all' | 'unread' | 'agents' | 'groups' | 'archived' | { readonly folderId: string };

export const isSameFilter = (one: ListFilter, other: ListFilter): boolean =>
  typeof one === 'object' && typeof other === 'object' ? one.folderId === other.folderId : one === other;

interface Shown {
  filter: ListFilter;
  chatOf: (id: string) => Chat | undefined;
  me: string;
  /** The open conversation stays among the unread ones when it is read. */
  openId: string | null;
}

/** The ids that the list shows: pinned ones first, then by activity (WEB-180). */
export function shownIds(list: ChatList, { filter, chatOf, me, openId }: Shown): readonly string[] {
  if (filter === 'archived') return list.archived;
  const elsewhere = new Set([...list.archived, ...list.pinned]);
  const all = [...list.pinned, ...list.ids.filter((id) => !elsewhere.has(id))];
  if (filter === 'all') return all;
  const isMeant = (chat: Chat): boolean =>
    filter === 'groups'
      ? chat.kind === 'group'
      : filter === 'agents'
        ? agentOf(chat, me) !== undefined
        : typeof filter === 'object' && chat.folder_id === filter.folderId;
  const unread = new Set(list.unread);
  return all.filter((id) => {
    if (filter === 'unread') return unread.has(id) || id === openId;
    const chat = chatOf(id);
    return chat !== undefined && isMeant(chat);
  });
}

/** The order of the pins after one has moved to the place of another; null if it cannot move there. */
export function pinsAfterMove(pinned: readonly string[], id: string, to: number): readonly string[] | null {
  const from = pinned.indexOf(id);
  if (from === -1 || to < 0 || to >= pinned.length || to === from) return null;
  return pinned.toSpliced(from, 1).toSpliced(to, 0, id);
}
