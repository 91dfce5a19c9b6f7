import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { removeParticipant } from '../../conversations/remove-participant.ts';
import { requireOwnGroupAgent } from '../../agents/group-agent.ts';

// Locks everything: the unit can also end turns of other conversations (KEY-13), so no turn may be claimed meanwhile.
export default unit('removeGroupAgent', { locks: everything, addsData: false }, async (call, input) => {
  const { chat, agent } = await requireOwnGroupAgent(call, input, { isThere: 'required' });
  await removeParticipant(call, chat, agent);
  return undefined;
});
