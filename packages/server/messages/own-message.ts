import type { UnitCall } from '../commits/unit-call.ts';
import { forbidden, notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import { chatByKey, type ChatRow, isParticipant } from '../store/chats.ts';
import { messageById, type MessageRow } from '../store/messages.ts';
import { assertMayWrite } from './may-write.ts';
import { isGone } from './visibility.ts';

/** The caller's own message, in a conversation in which `assertMay` still lets the caller change it (EDIT-2). */
export async function requireOwnMessage(
  { tx, caller }: Pick<UnitCall, 'tx' | 'caller'>,
  messageId: string,
  assertMay: typeof assertMayWrite = assertMayWrite,
): Promise<{ row: MessageRow; chat: ChatRow | undefined }> {
  const row = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!row || (await isGone({ tx }, row))) throw notFound('message');
  if (!(await tx.get(isParticipant, row.chat_key, caller.key)))
    throw forbidden('you do not take part in this conversation');
  if (row.sender_key !== caller.key) throw forbidden('only the sender can change a message');
  const chat = await tx.get(chatByKey, row.chat_key);
  if (chat) await assertMay({ tx, caller }, chat);
  return { row, chat };
}
