import { unit } from '../../call.ts';
import { countParticipants, insertParticipant, setAlwaysOn } from '../../store/chats.ts';
import { assertRoom } from '../conversations/members.ts';
import { requireOwnAgent } from './group-agent.ts';

/** Brings the agent in, mention-only unless told otherwise; a repeat sets the mode (AGENT-3). */
export default unit('addGroupAgent', async (call, input) => {
  const { tx, now } = call;
  const { chat, agent, isThere } = await requireOwnAgent(call, input, { isThere: 'optional' });
  const mode = Number(input.always_on ?? false);
  if (isThere) {
    await tx.run(setAlwaysOn, chat.key, agent.key, mode);
    return undefined;
  }
  assertRoom(call, chat.participant_count + 1, 'agent_username');
  await tx.run(insertParticipant, chat.key, agent.key, 'member', mode, now);
  await tx.run(countParticipants, chat.key, 1, 1);
  call.intend({ type: 'join', chatKey: chat.key, accountKey: agent.key });
  return undefined;
});
