import { type KeyRing, toolBinding } from '../secrets/seal.ts';
import { accountByKey } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { toolCredentialOf, type ToolServerRow } from '../store/tool-servers.ts';
import type { ToolLogins } from './login/tool-logins.ts';
import { ToolFault } from './tool-fault.ts';

/** With what a call of a server's tools is made for an asker. */
export interface Credential {
  /** The account whose credential counts; null if the server takes none. */
  holderKey: number | null;
  /** The bearer token; undefined if there is none. */
  token: string | undefined;
  generation: string | null;
}

const none = (holderKey: number | null): Credential => ({ holderKey, token: undefined, generation: null });

interface Needs {
  logins: Pick<ToolLogins, 'tokenOf'>;
  read: Sql;
  keys: KeyRing;
  onFault: (error: Error) => void;
}

type Server = Pick<ToolServerRow, 'key' | 'agent_key' | 'url' | 'identity' | 'auth'>;

/** The account whose credential a server's calls bear: the asker's, the owner's, or null for none (TOOL-5). */
export async function holderOf(read: Sql, server: Server, askerKey: number): Promise<number | null> {
  if (server.auth === 'none' || server.identity === 'none') return null;
  if (server.identity === 'asker') return askerKey;
  return (await read.get(accountByKey, server.agent_key))?.parent_key ?? null;
}

/**
 * The credential of a server for an asker, as it is stored now. One for another origin does not count (TOOL-6). Tokens
 * of a login are fresh; `refused` is one that the server no longer accepts. Rejects with a ToolFault if fresh ones
 * cannot be had now.
 */
export async function credentialFor(
  needs: Needs,
  server: Server,
  askerKey: number,
  signal: AbortSignal,
  refused?: string,
): Promise<Credential> {
  const holderKey = await holderOf(needs.read, server, askerKey);
  const row = holderKey === null ? undefined : await needs.read.get(toolCredentialOf, server.key, holderKey);
  const origin = new URL(server.url).origin;
  if (!row || row.origin !== origin) return none(holderKey);
  const { generation } = row;
  try {
    const token =
      server.auth === 'oauth'
        ? await needs.logins.tokenOf(row, refused, signal)
        : needs.keys.open(row.sealed, toolBinding(row.server_key, row.account_key, origin));
    return token === undefined ? none(holderKey) : { holderKey, token, generation };
  } catch (error) {
    if (error instanceof ToolFault) throw error;
    needs.onFault(new Error(`the credential of server ${server.key} cannot be used`, { cause: error }));
    return none(holderKey);
  }
}
