import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { requireManagedGroup } from '../../store/chats.ts';
import { requireMember, takeOut } from '../../conversations/members.ts';

export default unit('removeMember', async (call, { chat_id, username }) => {
  const chat = await requireManagedGroup(call, chat_id);
  const member = await requireMember(call, chat.key, username);
  if (member.role === 'owner' && chat.role !== 'owner') throw forbidden('an admin does not remove the owner');
  await takeOut(call, chat, member);
  return undefined;
});
