import type { Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import type { LockRule } from '../../commits/unit-locks.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { unit } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { announceRead, announceState } from '../../conversations/announce.ts';
import { otherOfDirect } from '../../store/blocks.ts';
import { unmarkUnread } from '../../store/chat-states.ts';
import { advanceRead, channelByKey, type OwnChatRow } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { isPrivate } from '../../messages/message-scopes.ts';
import { messageById, type MessageRow } from '../../store/messages.ts';
import { advanceReceipt, newestPublic } from '../../store/receipts.ts';
import { takeBackOwn } from '../../push/take-back.ts';

// Locks the conversation: unread messages are counted, so no message may be written meanwhile.
const locks: LockRule<Input<'markRead'>> = ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)];

/**
 * Moves the read marker to a message of any timeline, forward only (CONV-8), and ends a mark as unread (CHATSTATE-6). A message that the caller has hidden is
 * accepted, because the calling device may not know that yet.
 */
export default unit('markRead', { locks, addsData: false }, async (call, { chat_id, message_id }) => {
  const { tx, caller } = call;
  const chat = await requireChat(call, chat_id);
  const row = await tx.get(messageById, idBytes(message_id), caller.key);
  if (!row || row.chat_key !== chat.key || row.deleted_at !== null) throw notFound('message');
  const channel = row.channel_key === 0 ? undefined : await tx.get(channelByKey, row.channel_key);
  if (channel && channel.deleted_at !== null) throw notFound('message');
  if (chat.is_marked_unread === 1) {
    await tx.run(unmarkUnread, chat.key, caller.key);
    await announceState(call, chat.key);
  }
  if ((await tx.run(advanceRead, chat.key, caller.key, row.key)) === 0) return undefined;
  await shareReceipt(call, chat, row);
  await announceRead(call, chat.key);
  await takeBackOwn(call, chat.key, caller.key, caller.sessionKey, { upTo: row.key });
  return undefined;
});

/** Lets the other people know how far the caller, a person, has read (READ-12). */
async function shareReceipt(call: UnitCall, chat: OwnChatRow, row: MessageRow): Promise<void> {
  const { tx, caller } = call;
  if (caller.kind !== 'human' || chat.participant_count - chat.agent_count < 2) return;
  if (chat.kind === 'direct') {
    const other = await tx.get(otherOfDirect, chat.key, caller.key);
    if (other?.is_blocked === 1 || other?.has_blocked === 1) return;
  }
  // The position of a private message would tell the others that there is one (DECIDE-9).
  const { channel_key, thread_key } = row;
  const before = isPrivate(row) ? await tx.get(newestPublic, chat.key, channel_key, thread_key, row.key) : row;
  const upTo = before?.key ?? 0;
  if ((await tx.run(advanceReceipt, chat.key, caller.key, upTo)) > 0)
    call.intend({ type: 'receiptMoved', chatKey: chat.key });
}
