import { type Chat, type ChatList, isInFolder } from '@parley/client/store';
import type { Folder, FolderRule } from '@parley/protocol';

/** What the list shows: everything outside the archive, a part of it, or the archive. */
export type ListFilter = 'all' | 'unread' | 'agents' | 'groups' | 'archived' | { readonly folderId: string };

export const isSameFilter = (one: ListFilter, other: ListFilter): boolean =>
  typeof one === 'object' && typeof other === 'object' ? one.folderId === other.folderId : one === other;

interface Shown {
  filter: ListFilter;
  /** The folder of the filter. */
  folder?: Folder | undefined;
  chatOf: (id: string) => Chat | undefined;
  me: string;
  /** The open conversation stays among the unread ones when it is read. */
  openId: string | null;
}

/** The filters of kinds are rules of folders. */
const filterRules: Readonly<Record<'agents' | 'groups', FolderRule>> = {
  agents: { kinds: ['agents'] },
  groups: { kinds: ['groups'] },
};

/** Whether a rule includes a conversation for which no folder counts. */
export const followsRule = (chat: Chat, rule: FolderRule | undefined, me: string): boolean =>
  isInFolder(chat, { id: '', ...(rule && { rule }) }, me);

/** As if it were unread and not muted: whether a rule can ever include it. */
export const canFollowRule = (chat: Chat, rule: FolderRule | undefined, me: string): boolean =>
  followsRule({ ...chat, is_marked_unread: true, is_muted: false }, rule, me);

/** The ids that the list shows: pinned ones first, then by activity. */
export function shownIds(list: ChatList, { filter, folder, chatOf, me, openId }: Shown): readonly string[] {
  if (filter === 'archived') return list.archived;
  const elsewhere = new Set([...list.archived, ...list.pinned]);
  const all = [...list.pinned, ...list.ids.filter((id) => !elsewhere.has(id))];
  if (filter === 'all') return all;
  if (filter === 'unread') {
    const unread = new Set(list.unread);
    return all.filter((id) => unread.has(id) || id === openId);
  }
  if (typeof filter === 'object') {
    const inFolder = new Set(list.byFolder[filter.folderId]);
    const open = openId === null ? undefined : chatOf(openId);
    if (open && folder && isInFolder({ ...open, is_marked_unread: true }, folder, me)) inFolder.add(open.id);
    return all.filter((id) => inFolder.has(id));
  }
  return all.filter((id) => {
    const chat = chatOf(id);
    return chat !== undefined && followsRule(chat, filterRules[filter], me);
  });
}

/** The order of the pins after one has moved to the place of another; null if it cannot move there. */
export function pinsAfterMove(pinned: readonly string[], id: string, to: number): readonly string[] | null {
  const from = pinned.indexOf(id);
  if (from === -1 || to < 0 || to >= pinned.length || to === from) return null;
  return pinned.toSpliced(from, 1).toSpliced(to, 0, id);
}
