import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { requireChat } from '../../store/chats.ts';
import { takeOut } from '../../conversations/members.ts';

// Locks: this ends turns of other conversations that may use an owner's key because of this one, so no claim may run.
export default unit('leaveChat', { locks: everything }, async (call, { chat_id }) => {
  const { caller } = call;
  const chat = await requireChat(call, chat_id);
  if (chat.kind !== 'group') throw forbidden('you cannot leave a direct chat');
  await takeOut(call, chat, { account_key: caller.key, kind: caller.kind, role: chat.role });
  return undefined;
});
