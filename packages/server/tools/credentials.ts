import type { KeyRing } from '../secrets/seal.ts';
import { toolBinding } from '../secrets/seal.ts';
import { accountByKey } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { toolCredentialOf, type ToolServerRow } from '../store/tool-servers.ts';

/** With what a call of a server's tools is made for an asker. */
export interface Credential {
  /** The account whose credential counts; null if the server takes none. */
  holderKey: number | null;
  /** The bearer token; undefined if there is none. */
  token: string | undefined;
  generation: string | null;
}

interface Needs {
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

/** The credential of a server for an asker, as it is stored now. One for another origin does not count (TOOL-6). */
export async function credentialFor(needs: Needs, server: Server, askerKey: number): Promise<Credential> {
  const holderKey = await holderOf(needs.read, server, askerKey);
  const row = holderKey === null ? undefined : await needs.read.get(toolCredentialOf, server.key, holderKey);
  const origin = new URL(server.url).origin;
  if (!row || row.origin !== origin) return { holderKey, token: undefined, generation: null };
  try {
    const token = needs.keys.open(row.sealed, toolBinding(row.server_key, row.account_key, origin));
    return { holderKey, token, generation: row.generation };
  } catch (cause) {
    needs.onFault(new Error(`the credential of server ${server.key} does not open`, { cause }));
    return { holderKey, token: undefined, generation: null };
  }
}
