// Polls: votes, their end, who voted for what. A poll is made with sendMessage.
import type { Input } from '@parley/protocol';
import { chatOf, type LockRule } from '../../commits/unit-locks.ts';
import { forbidden } from '../../core/errors.ts';
import { publishPoll, requirePoll } from '../../messages/polls.ts';
import { isClosed } from '../../rules/polls.ts';
import { messageJson } from '../../rendering/messages.ts';
import { unit } from '../handler.ts';

// Locks the message's conversation: no vote is stored at the same time.
const locks: LockRule<Input<'closePoll'>> = ({ input }) => [chatOf(input.message_id)];

export default unit('closePoll', { locks, addsData: false }, async (call, { message_id }) => {
  const { row, chat, poll } = await requirePoll(call, message_id);
  const mayManage = chat.kind === 'group' && chat.role !== 'member';
  if (row.sender_key !== call.caller.key && !mayManage)
    throw forbidden('only the sender, and the owner and admins of the group, can close a poll');
  if (isClosed(poll, call.now)) return messageJson(call, row);
  return publishPoll(call, row, { ...poll, closed_at: new Date(call.now).toISOString() });
});
