import type { ReadCall } from '../operations/handler.ts';
import { forbidden } from '../core/errors.ts';
import { ownChatByKey } from '../store/chats.ts';
import { conversationView } from '../store/conversation-view.ts';

/** The answer of an operation on a conversation: as the caller sees it once the unit is committed. */
export async function currentView({ tx, caller, now, service }: ReadCall, chatKey: number) {
  const chat = await tx.get(ownChatByKey, chatKey, caller.key);
  if (!chat) throw forbidden('you do not take part in this conversation');
  return conversationView(tx, chat, caller.key, now, service.texts);
}
