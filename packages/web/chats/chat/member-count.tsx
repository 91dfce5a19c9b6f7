import type { Chat } from '@parley/client/store';
import { countsText } from './member-counts.ts';
import { useMemberCounts } from './use-member-counts.ts';

/** Who is in a group, in numbers. */
export function MemberCount({ chat }: { chat: Chat }) {
  const counts = useMemberCounts(chat);
  return counts ? countsText(counts) : `${chat.participant_count} members`;
}
