// agents/tool-turns/: replies of agents that call tools: their steps, the ledger of their calls, and what they wait for.
import { hash } from 'node:crypto';
import type { ToolServerRow } from '../../store/tool-servers.ts';
import type { OfferedTool } from '../../tools/outcomes.ts';
import type { ToolServers } from '../../tools/tool-servers.ts';

/** The tools that agents may use. */
export type Tools = Pick<ToolServers, 'offered' | 'call'>;

/** What an answer about a call is bound to: if one of these differs, it is asked again (CALL-9). */
export interface Terms {
  /** Of the server's address, and how its calls are made. */
  server: string;
  definitionHash: string;
  /** Of the credential; empty without one. */
  generation: string;
  /** By the owner's word: `1` or `0`. */
  writes: string;
}

/** A hash of the address of a server, and of how its calls are made. */
export const hashOfServer = ({ url, identity, auth }: Pick<ToolServerRow, 'url' | 'identity' | 'auth'>): string =>
  hash('sha256', JSON.stringify([url, identity, auth]), 'base64url');

const textOf = ({ server, definitionHash, generation, writes }: Terms): string =>
  [server, definitionHash, generation, writes].join(' ');

export const termsOf = ({ server, definitionHash, credentialGeneration, writes }: OfferedTool): string =>
  textOf({
    server: hashOfServer(server),
    definitionHash,
    generation: credentialGeneration ?? '',
    writes: writes ? '1' : '0',
  });

/** What was shown of a call, which must be the same when it is sent. */
export function shownIn(terms: string): Terms {
  const [server = '', definitionHash = '', generation = '', writes = ''] = terms.split(' ');
  return { server, definitionHash, generation, writes };
}

/** The same terms with another credential: the one that the asker has just given. */
export const withCredential = (terms: string, generation: string): string => textOf({ ...shownIn(terms), generation });
