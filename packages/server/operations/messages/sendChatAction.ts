import { live } from '../../call.ts';
import { requireChat } from '../../store/chats.ts';
import { requireTimeline } from './timeline.ts';

export default live('sendChatAction', async (call, input) => {
  const chat = await requireChat(call, input.chat_id);
  await requireTimeline(call, chat, input);
  const { caller, service } = call;
  const place = {
    chatKey: chat.key,
    chatId: input.chat_id,
    channelId: input.channel_id ?? null,
    threadRootId: input.thread_root_id ?? null,
    accountKey: caller.key,
    actor: { username: caller.username, kind: caller.kind, display_name: caller.displayName },
  };
  if (input.action === 'typing') service.typing.start(place);
  else service.typing.stop(place);
  return undefined;
});
