import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { requireChat } from '../../access/chats.ts';
import { conversationView } from '../../rendering/conversation-view.ts';

export default read('getChat', async (call, input, { texts }: Needs<'texts'>) => {
  const chat = await requireChat(call, input.chat_id);
  return conversationView(call, chat, call.caller.key, call.now, texts);
});
