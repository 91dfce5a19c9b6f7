import type { Sql } from '../store/sql.ts';
import { toolDefinitionsOf, type ToolServerRow, toolServersOf } from '../store/tool-servers.ts';
import { listedTools } from './owner-word.ts';

export interface KnownTools {
  server: ToolServerRow;
  /** The tools' own names, in their order. */
  names: string[];
}

/** What the servers of an agent offered when they were last listed, without a request: for previews of a message. */
export async function knownTools(read: Sql, agentKey: number): Promise<KnownTools[]> {
  const known: KnownTools[] = [];
  for (const server of await read.all(toolServersOf, agentKey)) {
    const listed = listedTools(server);
    const pinned = (await read.all(toolDefinitionsOf, server.key)).filter(({ is_changed }) => is_changed === 0);
    const names = pinned.map(({ name }) => name).filter((name) => listed?.has(name) ?? true);
    known.push({ server, names: names.length > 0 ? names : [...(listed?.keys() ?? [])] });
  }
  return known;
}
