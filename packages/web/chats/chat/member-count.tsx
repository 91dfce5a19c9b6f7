import type { Chat } from '@parley/client/store';
import { countsText, membersText } from './member-counts.ts';
import { useMemberCounts } from './use-member-counts.ts';

/** How many people and agents are in a group. */
export function MemberCount({ chat }: { chat: Chat }) {
  const counts = useMemberCounts(chat);
  return counts ? countsText(counts) : membersText(chat.participant_count);
}
