import { unit } from '../../call.ts';
import { requireManagedGroup, setTitle } from '../../store/chats.ts';

export default unit('setChatTitle', async (call, { chat_id, title }) => {
  const chat = await requireManagedGroup(call, chat_id);
  await call.tx.run(setTitle, chat.key, title);
  return undefined;
});
