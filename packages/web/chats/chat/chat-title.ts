// Facts about one conversation: its title, picture, preview, roles and members. May import: the rooms below chats.
import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import { shownName } from '../../words/shown-name.ts';

/** The other participant of a direct chat; the reader in saved messages. */
export const partnerOf = ({ participants }: Chat, me: string): Participant | undefined =>
  participants.find(({ username }) => username !== me) ?? participants[0];

export const isSavedMessages = ({ kind, participant_count }: Chat): boolean =>
  kind === 'direct' && participant_count === 1;

const nameOf = (partner: Participant | undefined): string => (partner ? shownName(partner) : 'Conversation');

/** The conversation's title, as this reader sees it. */
export function chatTitle(chat: Chat, me: string): string {
  if (chat.kind === 'group') return chat.title ?? 'Group';
  return isSavedMessages(chat) ? 'Saved messages' : nameOf(partnerOf(chat, me));
}
