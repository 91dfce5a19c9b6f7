import { read } from '../handler.ts';
import { agentsOf, BOT_PROVIDER } from '../../store/accounts.ts';
import { hasSecret } from '../../store/secrets.ts';

/** The caller's agents, and whether each has a key; nothing else of a key is returned (KEY-1). */
export default read('getMyAgents', async ({ tx, caller }) => {
  const items = [];
  for (const { key, username, display_name, agent_provider } of await tx.all(agentsOf, caller.key)) {
    const secret = await tx.get(hasSecret, key, caller.key, 'api_key');
    items.push({
      provider: agent_provider ?? BOT_PROVIDER,
      username,
      display_name,
      key_configured: secret !== undefined,
    });
  }
  return { items };
});
