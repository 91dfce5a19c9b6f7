// agents/tool-turns/: replies of agents that call tools: their steps, the ledger of their calls, and what they wait for.
import type { OfferedTool } from '../../tools/outcomes.ts';
import type { ToolServers } from '../../tools/tool-servers.ts';

/** The tools that agents may use. */
export type Tools = Pick<ToolServers, 'offered' | 'call'>;

const originOf = (url: string): string => new URL(url).origin;

/** What an answer about a call is bound to: another address, definition or credential asks again (CALL-9). */
export const termsOf = ({ server, definitionHash, credentialGeneration }: OfferedTool): string =>
  [originOf(server.url), definitionHash, credentialGeneration ?? ''].join(' ');

/** The address and the definition in the terms of a call, which must be the same when it is sent. */
export function shownIn(terms: string): { origin: string; definitionHash: string } {
  const [origin = '', definitionHash = ''] = terms.split(' ');
  return { origin, definitionHash };
}

export const isAt = (url: string, origin: string): boolean => originOf(url) === origin;
