import { unit } from '../../call.ts';
import { idText } from '../../ids.ts';
import { insertChannel, requireManagedGroup } from '../../store/chats.ts';

export default unit('createChannel', async (call, { chat_id, title }) => {
  const chat = await requireManagedGroup(call, chat_id);
  const id = call.newId();
  await call.tx.get(insertChannel, id, chat.key, title, call.now);
  return { id: idText(id), title, unread_count: 0 };
});
