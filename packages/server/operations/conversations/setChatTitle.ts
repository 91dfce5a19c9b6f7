import { inChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { announce } from '../../conversations/announce.ts';
import { requireManagedGroup, setTitle } from '../../store/chats.ts';

export default unit('setChatTitle', { locks: inChat }, async (call, { chat_id, title }) => {
  const chat = await requireManagedGroup(call, chat_id);
  if (title === chat.title) return undefined;
  await call.tx.run(setTitle, chat.key, title);
  announce(call, chat, { title });
  return undefined;
});
