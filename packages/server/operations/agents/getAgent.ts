import { fieldsOf } from '../../agents/agent-fields.ts';
import { agentView } from '../../agents/config/agent-view.ts';
import { requireVisibleAgent } from '../../agents/config/configured-agent.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default read('getAgent', async (call, { username }, { config }: Needs<'config'>) => {
  const agent = await requireVisibleAgent(call, username);
  return agentView(call, agent, await fieldsOf(call.tx, agent, config));
});
