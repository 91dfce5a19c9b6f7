import { forbidden } from '../core/errors.ts';
import type { Call } from '../access/call.ts';
import { ownChatByKey } from '../store/chats.ts';
import { conversationView } from '../rendering/conversation-view.ts';
import type { LiveTexts } from '../rendering/messages.ts';

/** The conversation as the caller sees it after the unit's commit: the result of operations on a conversation. */
export async function currentView(call: Call, chatKey: number, { texts }: { texts: LiveTexts }) {
  const { tx, caller, now } = call;
  const chat = await tx.get(ownChatByKey, chatKey, caller.key);
  if (!chat) throw forbidden('you do not take part in this conversation');
  return conversationView(call, chat, caller.key, now, texts);
}
