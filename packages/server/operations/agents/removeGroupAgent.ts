import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { removeParticipant } from '../../conversations/remove-participant.ts';
import { requireOwnAgent } from '../../agents/group-agent.ts';

// Locks: this ends turns of other conversations that may use an owner's key because of this one, so no claim may run.
export default unit('removeGroupAgent', { locks: everything }, async (call, input) => {
  const { chat, agent } = await requireOwnAgent(call, input, { isThere: 'required' });
  await removeParticipant(call, chat, agent);
  return undefined;
});
