// The MCP servers of agents, how these describe their tools, and the credentials for them.
import { statement } from './sql.ts';

/** A server of an agent, as its owner has set it. */
export interface ToolServerRow {
  key: number;
  agent_key: number;
  name: string;
  url: string;
  identity: 'asker' | 'owner' | 'none';
  auth: 'none' | 'bearer' | 'oauth';
  approval: 'never' | 'writes' | 'always';
  /** A JSON list of `{ name, writes }`; null if the owner has said nothing of the tools. */
  tools: string | null;
  revision: number;
}

const columns = 'key, agent_key, name, url, identity, auth, approval, tools, revision';

export const toolServersOf = statement<ToolServerRow, [agent: number]>(
  `SELECT ${columns} FROM tool_servers WHERE agent_key = $1 ORDER BY position`,
);
export const toolServerByKey = statement<ToolServerRow, [key: number]>(
  `SELECT ${columns} FROM tool_servers WHERE key = $1`,
);
export const toolServerNamed = statement<ToolServerRow, [agent: number, name: string]>(
  `SELECT ${columns} FROM tool_servers WHERE agent_key = $1 AND name = $2`,
);

type Given = [
  agent: number,
  name: string,
  position: number,
  url: string,
  identity: ToolServerRow['identity'],
  auth: ToolServerRow['auth'],
  approval: ToolServerRow['approval'],
  tools: string | null,
];
export const addToolServer = statement<never, Given>(
  `INSERT INTO tool_servers (agent_key, name, position, url, identity, auth, approval, tools, revision)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1)`,
);
export const changeToolServer = statement<never, Given>(
  `UPDATE tool_servers SET position = $3, url = $4, identity = $5, auth = $6, approval = $7, tools = $8,
     revision = revision + 1
   WHERE agent_key = $1 AND name = $2`,
);
export const dropToolServer = statement<never, [key: number]>('DELETE FROM tool_servers WHERE key = $1');
export const dropToolServersOf = statement<never, [agent: number]>('DELETE FROM tool_servers WHERE agent_key = $1');
/** Stores whether an agent has tool servers, where a turn reads its other settings. */
export const putHasTools = statement<never, [agent: number, hasTools: number]>(
  `INSERT INTO agent_config (agent_key, config, published, has_tools) VALUES ($1, '{}', '[]', $2)
   ON CONFLICT (agent_key) DO UPDATE SET has_tools = excluded.has_tools`,
);

/** A tool as its server first described it after setAgentTools (TOOL-9). */
export interface ToolDefinitionRow {
  name: string;
  hash: string;
  /** A PinnedTool as JSON. */
  definition: string;
  /** 1: the server has described it differently since then. */
  is_changed: number;
}
export const toolDefinitionsOf = statement<ToolDefinitionRow, [server: number]>(
  'SELECT name, hash, definition, is_changed FROM tool_definitions WHERE server_key = $1 ORDER BY name',
);
export const toolDefinitionNamed = statement<ToolDefinitionRow, [server: number, name: string]>(
  'SELECT name, hash, definition, is_changed FROM tool_definitions WHERE server_key = $1 AND name = $2',
);
export const addToolDefinition = statement<
  never,
  [server: number, name: string, agent: number, hash: string, definition: string]
>(
  `INSERT INTO tool_definitions (server_key, name, agent_key, hash, definition) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (server_key, name) DO NOTHING`,
);
export const markToolChanged = statement<never, [server: number, name: string]>(
  'UPDATE tool_definitions SET is_changed = 1 WHERE server_key = $1 AND name = $2',
);
export const dropToolDefinitions = statement<never, [server: number]>(
  'DELETE FROM tool_definitions WHERE server_key = $1',
);
export const dropToolDefinitionsOf = statement<never, [agent: number]>(
  'DELETE FROM tool_definitions WHERE agent_key = $1',
);

export interface ToolCredentialRow {
  server_key: number;
  account_key: number;
  origin: string;
  sealed: string;
  /** The last characters of a token; null for a login. */
  tail: string | null;
  /** A new id with every value. */
  generation: string;
}
const credentialColumns = 'server_key, account_key, origin, sealed, tail, generation';

export const toolCredentialOf = statement<ToolCredentialRow, [server: number, account: number]>(
  `SELECT ${credentialColumns} FROM tool_credentials WHERE server_key = $1 AND account_key = $2`,
);
export const putToolCredential = statement<
  never,
  [
    server: number,
    account: number,
    agent: number,
    origin: string,
    sealed: string,
    tail: string | null,
    generation: string,
  ]
>(
  `INSERT INTO tool_credentials (server_key, account_key, agent_key, origin, sealed, tail, generation)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (server_key, account_key) DO UPDATE SET origin = excluded.origin, sealed = excluded.sealed,
     tail = excluded.tail, generation = excluded.generation, refreshing_until = 0`,
);
/** Returns 0 if another node is asking for fresh tokens, or the tokens are no longer `former`. */
export const claimToolRefresh = statement<
  never,
  [server: number, account: number, former: string, now: number, until: number]
>(
  `UPDATE tool_credentials SET refreshing_until = $5
   WHERE server_key = $1 AND account_key = $2 AND sealed = $3 AND refreshing_until < $4`,
);
/** Stores fresh tokens of a login; they are the same credential. */
export const putToolTokens = statement<never, [server: number, account: number, former: string, sealed: string]>(
  `UPDATE tool_credentials SET sealed = $4, refreshing_until = 0
   WHERE server_key = $1 AND account_key = $2 AND sealed = $3`,
);
/** Removes a login that its server has ended. */
export const dropToolTokens = statement<never, [server: number, account: number, former: string]>(
  'DELETE FROM tool_credentials WHERE server_key = $1 AND account_key = $2 AND sealed = $3',
);

/** A login that has begun. */
export interface ToolLoginRow {
  server_key: number;
  account_key: number;
  /** Empty once it was taken to be redeemed. */
  sealed: string;
  expires_at: number;
}
export const addToolLogin = statement<
  never,
  [stateHash: Uint8Array, server: number, account: number, agent: number, sealed: string, expiresAt: number]
>(
  `INSERT INTO tool_logins (state_hash, server_key, account_key, agent_key, sealed, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
export const toolLoginOf = statement<ToolLoginRow, [stateHash: Uint8Array]>(
  'SELECT server_key, account_key, sealed, expires_at FROM tool_logins WHERE state_hash = $1',
);
export const dropToolLogin = statement<never, [stateHash: Uint8Array]>('DELETE FROM tool_logins WHERE state_hash = $1');
/** Takes a login that has begun: it has no secret from then on, and is never taken again. */
export const claimToolLogin = statement<never, [stateHash: Uint8Array, now: number]>(
  `UPDATE tool_logins SET sealed = '' WHERE state_hash = $1 AND expires_at > $2 AND sealed <> ''`,
);
/** Those that have expired, and the former ones of an account for a server. */
export const dropOldToolLogins = statement<never, [now: number, server: number, account: number]>(
  'DELETE FROM tool_logins WHERE expires_at <= $1 OR (server_key = $2 AND account_key = $3)',
);
export const dropToolLogins = statement<never, [server: number]>('DELETE FROM tool_logins WHERE server_key = $1');
export const dropToolLoginsOf = statement<never, [agent: number]>('DELETE FROM tool_logins WHERE agent_key = $1');
export const dropToolCredential = statement<never, [server: number, account: number]>(
  'DELETE FROM tool_credentials WHERE server_key = $1 AND account_key = $2',
);
export const dropToolCredentials = statement<never, [server: number]>(
  'DELETE FROM tool_credentials WHERE server_key = $1',
);
export const dropToolCredentialsOf = statement<never, [agent: number]>(
  'DELETE FROM tool_credentials WHERE agent_key = $1',
);
/** A page of all credentials, after a primary key. */
export const toolCredentialsAfter = statement<ToolCredentialRow, [server: number, account: number, limit: number]>(
  `SELECT ${credentialColumns} FROM tool_credentials WHERE (server_key, account_key) > ($1, $2)
   ORDER BY server_key, account_key LIMIT $3`,
);
/** Changes nothing if the value is no longer `former`. */
export const resealToolCredential = statement<never, [server: number, account: number, former: string, sealed: string]>(
  'UPDATE tool_credentials SET sealed = $4 WHERE server_key = $1 AND account_key = $2 AND sealed = $3',
);
/** The credentials of an account, for its export. */
export const toolCredentialsOfAccount = statement<
  { agent: string; server: string; origin: string; tail: string | null },
  [account: number]
>(
  `SELECT a.username AS agent, s.name AS server, c.origin, c.tail FROM tool_credentials c
   JOIN tool_servers s ON s.key = c.server_key JOIN accounts a ON a.key = c.agent_key
   WHERE c.account_key = $1 ORDER BY a.username, s.name`,
);
