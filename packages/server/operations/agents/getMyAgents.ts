import { read } from '../../call.ts';
import { agentsOf } from '../../store/accounts.ts';
import { hasSecret } from '../../store/secrets.ts';

/** What stands for the provider of an agent that a daemon runs. */
const BOT = 'bot';

/** The agents whose owner is the caller, and whether their keys are there: never more of a key than that (KEY-1). */
export default read('getMyAgents', async ({ tx, caller }) => {
  const items = [];
  for (const { key, username, display_name, agent_provider } of await tx.all(agentsOf, caller.key)) {
    const secret = await tx.get(hasSecret, key, caller.key, 'api_key');
    items.push({ provider: agent_provider ?? BOT, username, display_name, key_configured: secret !== undefined });
  }
  return { items };
});
