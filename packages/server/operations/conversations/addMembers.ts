import { unit } from '../../call.ts';
import { invalid } from '../../errors.ts';
import { countParticipants, insertParticipant, isParticipant, requireManagedGroup } from '../../store/chats.ts';
import { markChatFor } from '../../store/notifications.ts';
import { assertRoom, requireAccounts } from './members.ts';

export default unit('addMembers', async (call, { chat_id, usernames }) => {
  const { tx, caller, now } = call;
  const chat = await requireManagedGroup(call, chat_id);
  const accounts = await requireAccounts(call, usernames, caller.username);
  const agent = accounts.find(({ kind }) => kind === 'agent');
  if (agent) throw invalid('usernames', `holds the agent ${agent.username}: its owner brings it in`);
  const added: number[] = [];
  for (const { key } of accounts) if (!(await tx.get(isParticipant, chat.key, key))) added.push(key);
  if (added.length === 0) return undefined;
  assertRoom(call, chat.participant_count + added.length, 'usernames');
  for (const accountKey of added) {
    await tx.run(insertParticipant, chat.key, accountKey, 'member', null, now);
    await tx.run(markChatFor, chat.key, accountKey);
    call.intend({ type: 'join', chatKey: chat.key, accountKey });
  }
  await tx.run(countParticipants, chat.key, added.length, 0);
  return undefined;
});
