import { live } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { callerActor } from '../../rendering/accounts.ts';
import { requireChat } from '../../access/chats.ts';
import { obstacleTo } from '../../messages/may-write.ts';
import { requireTimeline } from '../../messages/timeline.ts';

export default live('sendChatAction', { addsData: false }, async (call, input, { typing }: Needs<'typing'>) => {
  const chat = await requireChat(call, input.chat_id);
  await requireTimeline(call, chat, input);
  const { caller } = call;
  // If the caller could not send a message here, others do not see it typing; the caller does not learn that (BLOCK-7).
  if (await obstacleTo(call, chat)) return undefined;
  const place = {
    chatKey: chat.key,
    chatId: input.chat_id,
    channelId: input.channel_id ?? null,
    threadRootId: input.thread_root_id ?? null,
    accountKey: caller.key,
    actor: await callerActor(call.tx, caller),
  };
  const isTyping = input.action === undefined ? input.is_typing === true : input.action === 'typing';
  if (isTyping) typing.start(place);
  else typing.stop(place);
  return undefined;
});
