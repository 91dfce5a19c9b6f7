import type { NotifPrefs } from '@parley/protocol';

interface Counted {
  readonly kind: 'direct' | 'group';
  readonly is_muted: boolean;
  readonly unread_count: number;
}

/** The badge count for the app's icon, by the user's preferences (PUSH-6). */
export function badgeOf(
  chats: readonly Counted[],
  { enabled, include_groups, count_messages }: NotifPrefs['badge'],
): number {
  if (!enabled) return 0;
  return chats
    .filter(
      ({ kind, is_muted, unread_count }) => unread_count > 0 && !is_muted && (include_groups || kind === 'direct'),
    )
    .reduce((sum, { unread_count }) => sum + (count_messages ? unread_count : 1), 0);
}
