import type { Input } from '@parley/protocol';
import { chatOf, type LockRule } from '../../commits/unit-locks.ts';
import { requireAskedReply } from '../../agents/another-turn.ts';
import { announceVersions, makeCurrent } from '../../messages/reply-versions.ts';
import { assertMayWrite } from '../../messages/may-write.ts';
import { chatByKey } from '../../store/chats.ts';
import { messageByKey } from '../../store/messages.ts';
import { messageJson } from '../../rendering/messages.ts';
import { unit } from '../handler.ts';

// Locks the conversation of the reply: its versions change together.
const locks: LockRule<Input<'chooseVersion'>> = ({ input }) => [chatOf(input.message_id)];

export default unit('chooseVersion', { locks }, async (call, { message_id }) => {
  const { reply, turn } = await requireAskedReply(call, message_id);
  const chat = await call.tx.get(chatByKey, reply.chat_key);
  if (chat) await assertMayWrite(call, chat);
  const change = await makeCurrent(call, reply, turn);
  if (change) announceVersions(call, change);
  return messageJson(call, (await call.tx.get(messageByKey, reply.key)) ?? reply);
});
