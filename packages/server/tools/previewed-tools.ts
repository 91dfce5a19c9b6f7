import type { Sql } from '../store/sql.ts';
import { toolDefinitionsOf, type ToolServerRow, toolServersOf } from '../store/tool-servers.ts';
import { listedTools } from './owner-word.ts';

/** What a turn of an agent may use, as far as it is known without asking the servers. */
export interface PreviewedServer {
  server: string;
  names: string[];
  as: ToolServerRow['identity'];
  approval: ToolServerRow['approval'];
}

/** The servers of an agent with the tools that they have described, or, before they have, those that the owner lists. */
export async function previewedTools(read: Sql, agentKey: number): Promise<PreviewedServer[]> {
  const previewed: PreviewedServer[] = [];
  for (const server of await read.all(toolServersOf, agentKey)) {
    const listed = listedTools(server);
    const pins = await read.all(toolDefinitionsOf, server.key);
    const known = pins.filter(({ name, is_changed }) => is_changed === 0 && (listed?.has(name) ?? true));
    const names = pins.length === 0 ? [...(listed?.keys() ?? [])] : known.map(({ name }) => name);
    previewed.push({ server: server.name, names, as: server.identity, approval: server.approval });
  }
  return previewed;
}
