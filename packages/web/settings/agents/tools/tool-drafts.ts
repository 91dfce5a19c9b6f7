// The servers of tools of an agent, as their owner edits them. May import: the rooms below settings.
import type { Params, ToolServer } from '@parley/protocol';

export type ToolServerInput = Params<'setAgentTools'>['servers'][number];
type Listed = NonNullable<ToolServerInput['tools']>[number];

/** What the owner has chosen of each tool of a server. */
export type ChosenTools = Readonly<Record<string, { isOn: boolean; writes: boolean }>>;

/** A tool that the owner has listed, and that describes itself differently since. */
export const hasChanged = ({ tools = [], offered = [] }: ToolServer, name: string): boolean =>
  tools.some((tool) => tool.name === name) && offered.some((tool) => tool.name === name && !tool.confirmed);

/**
 * What is chosen at first: what the owner has listed, but for tools that have changed since, because saving confirms what
 * is chosen. A server whose owner has listed nothing offers all its tools.
 */
export function chosenOf(server: ToolServer): ChosenTools {
  const { tools, offered = [] } = server;
  const names = new Set([...(tools ?? []), ...offered].map(({ name }) => name));
  return Object.fromEntries(
    Array.from(names, (name) => {
      const listed = tools?.find((tool) => tool.name === name);
      const isOn = tools === undefined || (listed !== undefined && !hasChanged(server, name));
      return [name, { isOn, writes: listed?.writes ?? true }];
    }),
  );
}

/** The chosen tools, as setAgentTools takes them. */
export const listedOf = (chosen: ChosenTools): Listed[] =>
  Object.entries(chosen).flatMap(([name, { isOn, writes }]) => (isOn ? [{ name, writes }] : []));

/** A server as setAgentTools takes it. `chosen`: undefined if its owner has chosen nothing anew. */
export function inputOf(server: ToolServer, chosen: ChosenTools | undefined): ToolServerInput {
  const { name, url = '', identity, auth, approval, tools } = server;
  const isAll = tools === undefined && chosen === undefined;
  const listed = isAll ? {} : { tools: listedOf({ ...chosenOf(server), ...chosen }) };
  return { name, url, identity, auth, approval, ...listed };
}

/** A short name for a server, from its address; empty if it gives none. */
export function nameFrom(url: string, taken: readonly string[]): string {
  if (!URL.canParse(url)) return '';
  const parts = new URL(url).hostname.split('.').filter((part) => !['www', 'mcp', 'api'].includes(part));
  const base = (parts.at(0) ?? '').replaceAll(/[^a-z0-9-]/g, '').slice(0, 28) || 'tools';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.includes(name)) return name;
  }
}
