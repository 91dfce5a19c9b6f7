import { requireOwnedAgent } from '../../agents/config/configured-agent.ts';
import { requireHuman } from '../../agents/default-agent.ts';
import { everything } from '../../commits/unit-locks.ts';
import { invalid } from '../../core/errors.ts';
import { toolServersOf } from '../../store/tool-servers.ts';
import { ownersView } from '../../tools/server-views.ts';
import { cleanServers, storeServers } from '../../tools/store-servers.ts';
import { type OpenCall, preparedUnitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** The answer shows what the servers offer now: what the owner sees is what is pinned (TOOL-1, TOOL-9). */
export default preparedUnitThen(
  'setAgentTools',
  {
    async prepare(call, { username, servers }, { toolAddresses }: Needs<'toolAddresses'>) {
      // Callers who do not own the agent get 404 or 403 before anything that they gave is checked.
      await requireOwnModel(call, username);
      return cleanServers(servers, toolAddresses);
    },
    locks: everything,
    // The names that their owner gives them: addresses may contain secrets.
    audit: ({ username: target, servers }) => ({ target, details: { servers: servers.map(({ name }) => name) } }),
    async handle(call, { username }, servers) {
      const agent = await requireOwnModel(call, username);
      await storeServers(call, agent.key, servers);
      return agent.key;
    },
  },
  async ({ tx, caller }, agentKey, { toolServers }: Needs<'toolServers'>) => {
    const servers = await tx.all(toolServersOf, agentKey);
    const signal = new AbortController().signal;
    const looks = servers.map((server) => toolServers.look(server, caller.key, signal));
    return { servers: await Promise.all(looks.map(async (look) => ownersView(tx, await look, caller.key))) };
  },
);

/** The caller's own agent, if the service runs it on a model (TOOL-1). */
async function requireOwnModel(call: Pick<OpenCall, 'tx' | 'caller'>, username: string) {
  const { agent } = await requireOwnedAgent(call, username);
  requireHuman(call.caller);
  if (agent.agent_provider === null) throw invalid('username', 'is not run on a model by the service');
  return agent;
}
