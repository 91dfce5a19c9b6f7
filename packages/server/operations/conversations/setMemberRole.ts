import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { conflict, forbidden, invalid } from '../../core/errors.ts';
import { judgeRoleChange } from '../../rules/group-roles.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { setRole } from '../../store/chats.ts';
import { announceMembers, announceNeeds } from '../../conversations/announce.ts';
import { requireMember } from '../../conversations/members.ts';
import { endWebhooksBy } from '../../people/end-webhooks.ts';

// Locks everything: webhooks end with their maker's role, as agents do (WEBHOOK-8).
export default unit('setMemberRole', { locks: everything }, async (call, { chat_id, username, role }) => {
  const { tx, caller } = call;
  const chat = await requireManagedGroup(call, chat_id);
  const target = await requireMember(call, chat.key, username);
  const verdict = judgeRoleChange({ by: chat.role === 'owner' ? 'owner' : 'admin', target, role });
  switch (verdict) {
    case 'nothing':
      return undefined;
    case 'set':
      await tx.run(setRole, chat.key, target.account_key, role);
      if (role === 'member') await endWebhooksBy(call, chat, target.account_key);
      await announceMembers(call, chat.key);
      return announceNeeds(call, chat.key, target.account_key);
    case 'pass-on':
      await tx.run(setRole, chat.key, caller.key, 'admin');
      await tx.run(setRole, chat.key, target.account_key, 'owner');
      await announceMembers(call, chat.key);
      return announceNeeds(call, chat.key, target.account_key);
    case 'forbidden':
      throw forbidden('an admin can neither change nor appoint the owner');
    case 'not-for-agents':
      throw invalid('username', 'is an agent, which is always a member');
    case 'pass-on-first':
      throw conflict('pass ownership to another member first');
    default:
      return verdict satisfies never;
  }
});
