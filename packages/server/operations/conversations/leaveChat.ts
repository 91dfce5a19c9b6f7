import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { requireChat } from '../../store/chats.ts';
import { takeOut } from '../../conversations/members.ts';

// locks: it ends turns of other conversations that used an owner's key because of this one: no claim may run meanwhile.
export default unit('leaveChat', { locks: everything }, async (call, { chat_id }) => {
  const { caller } = call;
  const chat = await requireChat(call, chat_id);
  if (chat.kind !== 'group') throw forbidden('a direct chat is not left');
  await takeOut(call, chat, { account_key: caller.key, kind: caller.kind, role: chat.role });
  return undefined;
});
