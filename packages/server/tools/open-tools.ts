// tools/: the MCP servers of agents: what they offer, calls of their tools, the credentials for them. Imports replies and
// the rooms below it.
import type { UnitCallers } from '../commits/unit-callers.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { EndpointRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { toolLoginUnits } from './login/login-units.ts';
import { OauthClient } from './login/oauth-client.ts';
import { ToolLogins } from './login/tool-logins.ts';
import type { toolUnits } from './tool-units.ts';
import { ToolServers, type ToolServerNeeds } from './tool-servers.ts';

type RoomsAbove = Pick<ToolServerNeeds, 'clock' | 'read' | 'keys' | 'settings'> & {
  units: UnitCallers<typeof toolUnits & ReturnType<typeof toolLoginUnits>>;
  config: { toolEndpoints: EndpointRule; publicUrl: URL | null };
  logger: FaultLogger;
};

export function openTools(above: RoomsAbove, opened: Closers) {
  const toolAddresses = new GuardedFetch(above.config.toolEndpoints);
  opened.defer(() => toolAddresses.close());
  const client = new OauthClient(toolAddresses.fetch, above.config.publicUrl);
  const toolLogins = new ToolLogins({ ...above, client });
  const toolServers = new ToolServers({
    ...above,
    logins: toolLogins,
    guarded: toolAddresses,
    onFault: logFaults(above.logger, 'a server of tools could not be used'),
  });
  opened.defer(() => toolServers.close());
  return { toolAddresses, toolLogins, toolServers };
}
