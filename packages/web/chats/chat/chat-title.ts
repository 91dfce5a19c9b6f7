// Facts about one conversation: its title, picture, preview, roles and members. May import: the rooms below chats.
import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import { calmText } from '../../words/calm-text.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';

/** The other participant of a direct chat; the reader in saved messages. */
export const partnerOf = ({ participants }: Chat, me: string): Participant | undefined =>
  participants.find(({ username }) => username !== me) ?? participants[0];

export const isSavedMessages = ({ kind, participant_count }: Chat): boolean =>
  kind === 'direct' && participant_count === 1;

const nameOf = (partner: Participant | undefined): string => (partner ? shownName(partner) : t('Conversation'));

/** A separate chat has this name until its first question; it is also the name of the action that begins one. */
export const NEW_CHAT = t('New chat');

/** The agent of a direct chat; undefined in any other conversation. */
export function agentOf(chat: Chat, me: string): Participant | undefined {
  const partner = chat.kind === 'direct' ? partnerOf(chat, me) : undefined;
  return partner?.kind === 'agent' ? partner : undefined;
}

/** The username of the other person of a direct chat; undefined in any other conversation. */
export function personOf(chat: Chat, me: string): string | undefined {
  const partner = chat.kind === 'direct' && !isSavedMessages(chat) ? partnerOf(chat, me) : undefined;
  return partner?.kind === 'human' ? partner.username : undefined;
}

/** Whose chat it is, beside the title of a separate chat; null where the title says so. */
export const agentBeside = (chat: Chat, me: string): string | null =>
  chat.is_separate ? nameOf(partnerOf(chat, me)) : null;

/** The conversation's title, as this reader sees it. */
export function chatTitle(chat: Chat, me: string): string {
  if (chat.kind === 'group') return calmText(chat.title ?? t('Group'));
  if (chat.is_separate) return calmText(chat.title ?? NEW_CHAT);
  return isSavedMessages(chat) ? t('Saved messages') : nameOf(partnerOf(chat, me));
}

/** The names by which a conversation is found: its title and, of a direct chat, the partner's username. */
export function chatNames(chat: Chat, me: string): string[] {
  const partner = chat.kind === 'direct' && !chat.is_separate ? partnerOf(chat, me) : undefined;
  return [chatTitle(chat, me), ...(partner ? [partner.username] : [])];
}
