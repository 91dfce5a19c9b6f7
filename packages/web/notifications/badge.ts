import type { Chat } from '@parley/client/store';
import type { NotifPrefs } from '@parley/protocol';
import { loudUnread } from '../chats/chat/channel-mutes.ts';

interface Counted {
  readonly kind: 'direct' | 'group';
  readonly is_muted: boolean;
  readonly unread_count: number;
  readonly channels: Chat['channels'];
}

/** The badge count for the app's icon, by the user's preferences (PUSH-6). */
export function badgeOf(
  chats: readonly Counted[],
  { enabled, include_groups, count_messages }: NotifPrefs['badge'],
): number {
  if (!enabled) return 0;
  return chats
    .filter((chat) => loudUnread(chat) > 0 && !chat.is_muted && (include_groups || chat.kind === 'direct'))
    .reduce((sum, chat) => sum + (count_messages ? loudUnread(chat) : 1), 0);
}
