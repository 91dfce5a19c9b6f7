import { unit } from '../handler.ts';
import { removeParticipant } from '../../conversations/remove-participant.ts';
import { requireOwnAgent } from '../../agents/group-agent.ts';

export default unit('removeGroupAgent', async (call, input) => {
  const { chat, agent } = await requireOwnAgent(call, input, { isThere: 'required' });
  await removeParticipant(call, chat, agent);
  return undefined;
});
