// Which conversations a folder of the list shows: the one place that applies a folder's rule.
import type { Folder, FolderRule } from '@parley/protocol';
import type { Chat } from './store.ts';

/** What a folder looks at. */
type Sorted = Pick<
  Chat,
  'id' | 'kind' | 'participants' | 'folder_id' | 'is_muted' | 'unread_count' | 'is_marked_unread'
>;

function kindOf({ kind, participants }: Sorted, me: string): FolderRule['kinds'][number] {
  if (kind === 'group') return 'groups';
  const partner = participants.find(({ username }) => username !== me) ?? participants[0];
  return partner?.kind === 'agent' ? 'agents' : 'people';
}

export const isUnread = ({ unread_count, is_marked_unread }: Sorted): boolean =>
  unread_count > 0 || is_marked_unread === true;

/**
 * Whether a folder shows a conversation: if it was chosen for the folder, or if the folder's rule includes it
 * (CHATSTATE-13). `me` is the reader's username. Clients show archived conversations in no folder.
 */
export function isInFolder(chat: Sorted, { id, rule }: Pick<Folder, 'id' | 'rule'>, me: string): boolean {
  if (chat.folder_id === id) return true;
  if (!rule?.kinds.includes(kindOf(chat, me)) || rule.left_out?.includes(chat.id)) return false;
  return (!rule.only_unread || isUnread(chat)) && !(rule.without_muted && chat.is_muted);
}
