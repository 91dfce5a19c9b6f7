// Conversations: direct chats, groups with their members and channels, and what each account keeps about them: read
// markers, mutes, pins of its list, folders.
import { joinsChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { invalid } from '../../core/errors.ts';
import { isParticipant } from '../../store/chats.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { addParticipants } from '../../conversations/add-participants.ts';
import { assertRoom, requireAccounts, withoutBlockers } from '../../conversations/members.ts';

export default unit('addMembers', { locks: joinsChat }, async (call, { chat_id, usernames }) => {
  const { tx, caller } = call;
  const chat = await requireManagedGroup(call, chat_id);
  const accounts = await requireAccounts(call, usernames, caller.username);
  const agent = accounts.find(({ kind }) => kind === 'agent');
  if (agent) throw invalid('usernames', `contains the agent ${agent.username}: only its owner can add it`);
  const added: typeof accounts = [];
  for (const account of accounts) if (!(await tx.get(isParticipant, chat.key, account.key))) added.push(account);
  if (added.length === 0) return undefined;
  assertRoom(call, chat.participant_count + added.length, 'usernames');
  const willing = await withoutBlockers(call, added);
  if (willing.length === 0) return undefined;
  await addParticipants(
    call,
    chat,
    willing.map(({ key }) => ({ key, kind: 'human' })),
  );
  return undefined;
});
