import { requireVisibleAgent } from '../../agents/config/configured-agent.ts';
import { toolServersOf } from '../../store/tool-servers.ts';
import { ownersView, serverView } from '../../tools/server-views.ts';
import { relay } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** The owner's view asks the servers; that of others reads only what is stored (TOOL-4). */
export default relay(
  'getToolServers',
  { addsData: false },
  async ({ tx, caller }, { username }, { toolServers }: Needs<'toolServers'>) => {
    const agent = await requireVisibleAgent({ tx, caller }, username);
    const servers = await tx.all(toolServersOf, agent.key);
    const isOwner = agent.parent_key === caller.key;
    const view = async (server: (typeof servers)[number]) =>
      isOwner
        ? ownersView(tx, await toolServers.look(server, caller.key, new AbortController().signal), caller.key)
        : serverView(tx, server, caller.key);
    return { items: await Promise.all(servers.map(view)) };
  },
);
