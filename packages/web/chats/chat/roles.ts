import type { Chat } from '@parley/client/store';
import type { Role } from '@parley/protocol';

/** The reader's role. In a large group only the first participants are loaded; others count as members. */
export const roleOf = (chat: Chat, username: string): Role =>
  chat.participants.find((participant) => participant.username === username)?.role ?? 'member';

/** Whether the reader may manage the chat: as owner or admin of a group, or in any direct chat. */
export const isManager = (chat: Chat, username: string): boolean =>
  chat.kind === 'direct' || roleOf(chat, username) !== 'member';
