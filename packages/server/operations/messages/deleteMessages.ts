// Messages: sending, reading, editing, forwarding and deleting them; reactions, pins, typing, search.
import type { Input } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { chatAndSenderOf, type LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { idBytes } from '../../core/ids.ts';
import { accountByKey } from '../../store/accounts.ts';
import { afterDecision } from '../../agents/after-decision.ts';
import { dropTitleOf } from '../../conversations/first-titles.ts';
import { type OwnChatRow, ownChatByKey } from '../../store/chats.ts';
import { decisionOf, type DecisionRow } from '../../store/decisions.ts';
import { mark, messageById, type MessageRow, recordOf } from '../../store/messages.ts';
import { buryMessages } from '../../messages/bury-messages.ts';

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
  for (const { chat, rows } of byChat.values()) {
    const open = await openDecisions(call, rows);
    await buryMessages(call, chat.key, rows);
    for (const row of open) await afterDecision(call, row, { state: 'withdrawn' });
    await dropTitleOf(call, chat, rows);
  }
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

/** The open decisions of messages: what waits for them has to go on without. */
async function openDecisions({ tx }: UnitCall, rows: readonly MessageRow[]): Promise<DecisionRow[]> {
  const open: DecisionRow[] = [];
  for (const { key, marks } of rows) {
    const row = marks & mark.decision ? await tx.get(decisionOf, key) : undefined;
    if (row?.state === 'open') open.push(row);
  }
  return open;
}
