import { inChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { setDescription } from '../../store/chats.ts';
import { announce } from '../../conversations/announce.ts';

/** An empty text removes the description (GROUP-15). */
export default unit('setChatDescription', { locks: inChat }, async (call, { chat_id, description: given }) => {
  const chat = await requireManagedGroup(call, chat_id);
  const description = given === '' ? null : given;
  if (description === chat.description) return undefined;
  await call.tx.run(setDescription, chat.key, description);
  announce(call, chat, { description });
  return undefined;
});
