import type { Chat } from '@parley/client/store';
import type { Role } from '@parley/protocol';

/** One's role in a conversation, where it is known: of a large group the first participants are. */
export const roleOf = (chat: Chat, username: string): Role =>
  chat.participants.find((participant) => participant.username === username)?.role ?? 'member';

/** Owners and admins manage a group; a direct chat belongs to both. */
export const isManager = (chat: Chat, username: string): boolean =>
  chat.kind === 'direct' || roleOf(chat, username) !== 'member';
