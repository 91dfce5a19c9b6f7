import type { ToolServerRow } from '../store/tool-servers.ts';

type Server = Pick<ToolServerRow, 'tools'>;

/** What the owner has said of a server's tools: by name, whether each writes. Undefined if the owner has said nothing. */
export function listedTools({ tools }: Server): ReadonlyMap<string, boolean> | undefined {
  if (tools === null) return undefined;
  const listed = JSON.parse(tools) as { name: string; writes: boolean }[]; // as setAgentTools stored it
  return new Map(listed.map(({ name, writes }) => [name, writes]));
}

/** A tool counts as a read only by its owner's word, whatever its server says (TOOL-11). */
export const writesOf = (server: Server, tool: string): boolean => listedTools(server)?.get(tool) ?? true;
