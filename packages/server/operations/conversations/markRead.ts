import type { Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import type { LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { advanceRead, channelByKey, requireChat } from '../../store/chats.ts';
import { unmarkUnread } from '../../store/chat-states.ts';
import { announceRead, announceState } from '../../conversations/announce.ts';
import { messageById } from '../../store/messages.ts';
import { takeBackOwn } from '../../push/take-back.ts';

// Locks the conversation: unread messages are counted, so no message may be written meanwhile.
const locks: LockRule<Input<'markRead'>> = ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)];

/**
 * Moves the read marker to a message of any timeline, forward only (CONV-8), and ends a mark as unread (CHATSTATE-6). A message that the caller has hidden is
 * accepted, because the calling device may not know that yet.
 */
export default unit('markRead', { locks }, async (call, { chat_id, message_id }) => {
  const { tx, caller } = call;
  const chat = await requireChat(call, chat_id);
  const row = await tx.get(messageById, idBytes(message_id));
  if (!row || row.chat_key !== chat.key || row.deleted_at !== null) throw notFound('message');
  const channel = row.channel_key === 0 ? undefined : await tx.get(channelByKey, row.channel_key);
  if (channel && channel.deleted_at !== null) throw notFound('message');
  if (chat.is_marked_unread === 1) {
    await tx.run(unmarkUnread, chat.key, caller.key);
    await announceState(call, chat.key);
  }
  if ((await tx.run(advanceRead, chat.key, caller.key, row.key)) === 0) return undefined;
  await announceRead(call, chat.key);
  await takeBackOwn(call, chat.key, caller.key, caller.sessionKey, { upTo: row.key });
  return undefined;
});
