import { inChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { setAlwaysOn } from '../../store/chats.ts';
import { requireOwnAgent } from '../../agents/group-agent.ts';

export default unit('setGroupAgentMode', { locks: inChat }, async (call, input) => {
  const { chat, agent } = await requireOwnAgent(call, input, { isThere: 'required' });
  await call.tx.run(setAlwaysOn, chat.key, agent.key, Number(input.always_on));
  return undefined;
});
