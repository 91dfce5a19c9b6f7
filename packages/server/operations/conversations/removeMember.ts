import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { requireManagedGroup } from '../../store/chats.ts';
import { requireMember, takeOut } from '../../conversations/members.ts';

// Locks: this ends turns of other conversations that may use an owner's key because of this one, so no claim may run.
export default unit('removeMember', { locks: everything }, async (call, { chat_id, username }) => {
  const chat = await requireManagedGroup(call, chat_id);
  const member = await requireMember(call, chat.key, username);
  if (member.role === 'owner' && chat.role !== 'owner') throw forbidden('an admin cannot remove the owner');
  await takeOut(call, chat, member);
  return undefined;
});
