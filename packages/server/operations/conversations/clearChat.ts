import type { Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import type { LockRule } from '../../commits/unit-locks.ts';
import { announceCleared } from '../../conversations/announce.ts';
import { takeBackOwn } from '../../push/take-back.ts';
import { clearUpTo } from '../../store/chat-states.ts';
import { requireChat } from '../../access/chats.ts';
import { dropItemsInChat } from '../../store/inbox.ts';
import { newestMessageKey } from '../../store/newest-message.ts';
import { unit } from '../handler.ts';

// Locks the account (tokens, badges) and the conversation, whose messages are counted.
const locks: LockRule<Input<'clearChat'>> = ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)];

/** Stores one number however many messages the conversation has: those up to it are hidden (CHATSTATE-9). */
export default unit('clearChat', { locks, addsData: false }, async (call, { chat_id }) => {
  const { tx, caller } = call;
  const chat = await requireChat(call, chat_id);
  const newest = await newestMessageKey(tx, chat.key, caller.key);
  if ((await tx.run(clearUpTo, chat.key, caller.key, Math.max(newest, chat.cleared_key))) === 0) return undefined;
  await tx.run(dropItemsInChat, caller.key, chat.key);
  await announceCleared(call, chat.key);
  await takeBackOwn(call, chat.key, caller.key, caller.sessionKey, { upTo: newest });
  return undefined;
});
