import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import { MAX_TOOLS } from '../../tools/definitions.ts';
import type { ToolSource } from './tool-port.ts';

/** The service's own tools and those of servers as one source: a turn is offered at most as many as vendors take (TOOL-8). */
export const allTools = (own: ToolSource, servers: ToolSource): ToolSource => ({
  async offered(agent, askerKey, signal) {
    const [mine, theirs] = await Promise.all([
      own.offered(agent, askerKey, signal),
      servers.offered(agent, askerKey, signal),
    ]);
    const room = MAX_TOOLS - mine.tools.length;
    const without = new Set(theirs.tools.slice(room).map(({ server }) => server.name));
    const faults = Array.from(without, (server) => ({ server, why: 'the tools of the agent are too many' }));
    return {
      tools: [...mine.tools, ...theirs.tools.slice(0, room)],
      faults: [...theirs.faults, ...faults],
    };
  },
  send: (sent, signal) => (sent.call.server === OWN_TOOLS ? own : servers).send(sent, signal),
});
