// Messages: sending, reading, editing, forwarding and deleting them; reactions, pins, typing, search.
import type { Input } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { chatAndSenderOf, type LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { idBytes } from '../../core/ids.ts';
import { accountByKey } from '../../store/accounts.ts';
import { deleteMessages } from '../../conversations/delete-messages.ts';
import { type OwnChatRow, ownChatByKey } from '../../store/chats.ts';
import { messageById, type MessageRow, recordOf } from '../../store/messages.ts';

// Locks the conversations: threads are recounted, and pins and turns are removed. Locks the senders: their stored bytes
// change.
const locks: LockRule<Input<'deleteMessages'>> = ({ input }) => input.message_ids.map(chatAndSenderOf);

export default unit('deleteMessages', { locks, addsData: false }, async (call, input) => {
  const byChat = new Map<number, { chat: OwnChatRow; rows: MessageRow[] }>();
  const ids: string[] = [];
  for (const id of new Set(input.message_ids)) {
    const row = await call.tx.get(messageById, idBytes(id), call.caller.key);
    if (!row || row.deleted_at !== null) continue;
    const chat = await call.tx.get(ownChatByKey, row.chat_key, call.caller.key);
    if (!chat || !(await mayDelete(call, chat, row))) continue;
    byChat.set(chat.key, { chat, rows: [...(byChat.get(chat.key)?.rows ?? []), row] });
    ids.push(recordOf(row).id);
  }
  for (const { chat, rows } of byChat.values()) await deleteMessages(call, chat, rows);
  return { ids };
});

/**
 * Callers may delete their own and their agents' messages, and any in their direct chats and groups they manage
 * (DEL-1).
 */
async function mayDelete({ tx, caller }: UnitCall, chat: OwnChatRow, row: MessageRow): Promise<boolean> {
  if (row.sender_key === caller.key || chat.kind === 'direct' || chat.role !== 'member') return true;
  return (await tx.get(accountByKey, row.sender_key))?.parent_key === caller.key;
}
