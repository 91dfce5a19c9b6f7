// tools/: the MCP servers of agents: what they offer, calls of their tools, the credentials for them. Imports replies and
// the rooms below it.
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { EndpointRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { ToolServers, type ToolServerNeeds } from './tool-servers.ts';

type RoomsAbove = Pick<ToolServerNeeds, 'clock' | 'read' | 'keys' | 'settings' | 'units'> & {
  config: { toolEndpoints: EndpointRule };
  logger: FaultLogger;
};

export function openTools(above: RoomsAbove, opened: Closers) {
  const toolAddresses = new GuardedFetch(above.config.toolEndpoints);
  opened.defer(() => toolAddresses.close());
  const toolServers = new ToolServers({
    ...above,
    guarded: toolAddresses,
    onFault: logFaults(above.logger, 'a credential for tools could not be opened'),
  });
  opened.defer(() => toolServers.close());
  return { toolAddresses, toolServers };
}
