import { inChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { followThreads, ignoreThreads, setAlwaysOn } from '../../store/chats.ts';
import { requireOwnGroupAgent } from '../../agents/group-agent.ts';

export default unit('setGroupAgentMode', { locks: inChat }, async (call, input) => {
  const { tx, now } = call;
  const { chat, agent } = await requireOwnGroupAgent(call, input, { isThere: 'required' });
  await tx.run(setAlwaysOn, chat.key, agent.key, Number(input.always_on));
  if (input.follows_threads === true) await tx.run(followThreads, chat.key, agent.key, now);
  if (input.follows_threads === false) await tx.run(ignoreThreads, chat.key, agent.key);
  return undefined;
});
