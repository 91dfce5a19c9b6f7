import { requireOwnedAgent } from '../../agents/config/configured-agent.ts';
import { everything } from '../../commits/unit-locks.ts';
import { invalid } from '../../core/errors.ts';
import { endAgent } from '../../people/end-agent.ts';
import { isDefaultAgent } from '../../store/accounts.ts';
import { unit } from '../handler.ts';

/** Ends any agent of the caller but the two that everyone has (CUSTOM-4). */
export default unit('deleteAgent', { locks: everything, addsData: false }, async (call, { username }) => {
  const { agent } = await requireOwnedAgent(call, username);
  if (isDefaultAgent(agent)) throw invalid('username', 'is one of the two agents that everyone has');
  return endAgent(call, agent);
});
