// Agents: their keys, their participation in groups, and bots, which run outside the service.
import { joinsChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { setAlwaysOn } from '../../store/chats.ts';
import { addParticipants } from '../../conversations/add-participants.ts';
import { assertRoom } from '../../conversations/members.ts';
import { requireOwnGroupAgent } from '../../agents/group-agent.ts';

/** Adds the agent, mention-only by default; for an agent that is already a participant, sets the mode (AGENT-3). */
export default unit('addGroupAgent', { locks: joinsChat }, async (call, input) => {
  const { tx } = call;
  const { chat, agent, isThere } = await requireOwnGroupAgent(call, input, { isThere: 'optional' });
  const alwaysOn = input.always_on ?? false;
  if (isThere) {
    await tx.run(setAlwaysOn, chat.key, agent.key, Number(alwaysOn));
    return undefined;
  }
  assertRoom(call, chat.participant_count + 1, 'agent_username');
  await addParticipants(call, chat, [{ key: agent.key, kind: 'agent', alwaysOn }]);
  return undefined;
});
