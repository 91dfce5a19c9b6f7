import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { isWebhook } from '../../store/accounts.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { noteRemoved } from '../../store/public-chats.ts';
import { endAgent } from '../../people/end-agent.ts';
import { endWebhooksBy } from '../../people/end-webhooks.ts';
import { requireMember, takeOut } from '../../conversations/members.ts';

// Locks everything: the unit can also end turns of other conversations (KEY-13), so no turn may be claimed meanwhile.
export default unit('removeMember', { locks: everything, addsData: false }, async (call, { chat_id, username }) => {
  const chat = await requireManagedGroup(call, chat_id);
  const member = await requireMember(call, chat.key, username);
  if (member.role === 'owner' && chat.role !== 'owner') throw forbidden('an admin cannot remove the owner');
  if (isWebhook(member)) return endAgent(call, { key: member.account_key, kind: 'agent' });
  await endWebhooksBy(call, chat, member.account_key);
  await takeOut(call, chat, member);
  if (member.kind === 'human' && member.account_key !== call.caller.key)
    await call.tx.run(noteRemoved, chat.key, member.account_key);
  return undefined;
});
