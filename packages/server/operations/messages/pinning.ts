import { forbidden, notFound } from '../../errors.ts';
import { idBytes } from '../../ids.ts';
import { chatScope } from '../../events/kinds.ts';
import type { ReadCall, UnitCall } from '../../call.ts';
import { conversationView } from '../../store/conversation-view.ts';
import { type OwnChatRow, ownChatByKey } from '../../store/chats.ts';
import { messageById, type MessageRow } from '../../store/messages.ts';

/** A message of this chat that is not deleted (404). */
export async function requireMessageOf({ tx }: Pick<UnitCall, 'tx'>, chat: OwnChatRow, id: string): Promise<MessageRow> {
  const row = await tx.get(messageById, idBytes(id));
  if (!row || row.chat_key !== chat.key || row.deleted_at !== null) throw notFound('message');
  return row;
}

/** Owner or admin in a group, either party in a direct chat (PIN-1). */
export function assertMayPin(chat: OwnChatRow): void {
  if (chat.kind === 'group' && chat.role === 'member') throw forbidden('only the owner and admins may pin');
}

export function emitPinned(call: UnitCall, chat: OwnChatRow, chatId: string, messageId: string | null, pinned: boolean) {
  const params = { conversation_id: chatId, message_id: messageId, pinned };
  call.emit({ scope: chatScope(chat.key), kind: 'messagePinned', params });
}

/** The Conversation as the caller sees it after the commit. */
export async function currentView({ tx, caller, now, service }: ReadCall, chatKey: number) {
  const chat = await tx.get(ownChatByKey, chatKey, caller.key);
  if (!chat) throw forbidden('you do not take part in this conversation');
  return conversationView(tx, chat, caller.key, now, service.texts);
}
