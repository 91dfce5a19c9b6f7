import { hasOwnersKey } from '../../agents/model-server.ts';
import { read } from '../handler.ts';
import { agentsOf, isDefaultAgent, isWebhook, visibilityOf } from '../../store/accounts.ts';
import { BOT_PROVIDER } from '../../rendering/accounts.ts';
import { ownerConfig } from '../../store/bot-config.ts';

/** The caller's agents, and whether each has a key; nothing else of a key is returned (KEY-1). */
export default read('getMyAgents', async ({ tx, caller }) => {
  const items = [];
  for (const agent of await tx.all(agentsOf, caller.key)) {
    if (isWebhook(agent)) continue;
    const { username, display_name, agent_provider, avatar_url } = agent;
    const baseUrl = (await tx.get(ownerConfig, agent.key))?.base_url ?? null;
    items.push({
      provider: agent_provider ?? BOT_PROVIDER,
      username,
      display_name,
      key_configured: await hasOwnersKey(tx, agent, baseUrl),
      is_default: isDefaultAgent(agent),
      visibility: visibilityOf(agent),
      ...(avatar_url !== null && { avatar_url }),
      ...(baseUrl !== null && { base_url: baseUrl }),
    });
  }
  return { items };
});
