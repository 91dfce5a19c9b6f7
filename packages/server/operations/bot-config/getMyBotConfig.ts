// Settings of agents: the owner's values for everyone, each person's overrides, and the resolved values that a bot's
// daemon receives for a firing.
import { fieldsOf } from '../../agents/agent-fields.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { configView } from '../../agents/config/config-view.ts';
import { requireSharedAgent } from '../../agents/config/configured-agent.ts';

export default read('getMyBotConfig', async (call, { username }, { config }: Needs<'config'>) => {
  const agent = await requireSharedAgent(call, username);
  return configView(call, agent, await fieldsOf(call.tx, agent, config));
});
