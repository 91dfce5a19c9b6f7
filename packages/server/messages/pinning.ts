import { forbidden, notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import { chatScope } from '../core/event-kinds.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import type { OwnChatRow } from '../store/chats.ts';
import { messageById, type MessageRow } from '../store/messages.ts';
import { assertMayReact } from './may-write.ts';
import { assertPublic, isGone } from './visibility.ts';

/** The message, if it belongs to this chat and is not deleted; otherwise 404. */
export async function requireMessageOf(
  { tx, caller }: Pick<UnitCall, 'tx' | 'caller'>,
  chat: OwnChatRow,
  id: string,
): Promise<MessageRow> {
  const row = await tx.get(messageById, idBytes(id), caller.key);
  if (!row || row.chat_key !== chat.key || (await isGone({ tx }, row))) throw notFound('message');
  assertPublic(row);
  return row;
}

/**
 * Allows owner and admins in a group, and both accounts of a direct chat (PIN-1) while they may write there (BLOCK-3).
 */
export async function assertMayPin(call: Pick<UnitCall, 'tx' | 'caller'>, chat: OwnChatRow): Promise<void> {
  if (chat.kind === 'group' && chat.role === 'member') throw forbidden('only the owner and admins may pin');
  await assertMayReact(call, chat);
}

export function emitPinned(
  call: UnitCall,
  chat: OwnChatRow,
  chatId: string,
  messageId: string | null,
  pinned: boolean,
) {
  const params = { conversation_id: chatId, message_id: messageId, pinned };
  call.emit({ scope: chatScope(chat.key), kind: 'messagePinned', params });
}
