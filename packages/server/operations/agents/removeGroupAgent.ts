import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { removeParticipant } from '../../conversations/remove-participant.ts';
import { requireOwnAgent } from '../../agents/group-agent.ts';

// locks: it ends turns of other conversations that used an owner's key because of this one: no claim may run meanwhile.
export default unit('removeGroupAgent', { locks: everything }, async (call, input) => {
  const { chat, agent } = await requireOwnAgent(call, input, { isThere: 'required' });
  await removeParticipant(call, chat, agent);
  return undefined;
});
