import { read } from '../handler.ts';
import { idText } from '../../core/ids.ts';
import { requireChat } from '../../access/chats.ts';
import { unreadMentions } from '../../store/mentions.ts';

export default read('getUnreadMentions', async (call, { chat_id }) => {
  const chat = await requireChat(call, chat_id);
  const rows = await unreadMentions(call.tx, chat, call.caller.key);
  return {
    items: rows.map(({ key, id, channel_id, root_id }) => ({
      message_id: idText(id),
      position: key,
      channel_id: channel_id && idText(channel_id),
      thread_root_id: root_id && idText(root_id),
    })),
  };
});
