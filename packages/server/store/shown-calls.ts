// What people see of the ledger, and of what they have allowed: CALL-18, CALL-19.
import type { CallState } from '../rules/call-states.ts';
import { isVisibleTo } from './messages.ts';
import { statement } from './sql.ts';
import type { CallRow } from './tool-calls.ts';

/** A call with what its record says beside it. */
export interface ShownCallRow extends Pick<
  CallRow,
  | 'key'
  | 'id'
  | 'human_key'
  | 'server'
  | 'host'
  | 'tool'
  | 'title'
  | 'identity'
  | 'writes'
  | 'state'
  | 'created_at'
  | 'sent_at'
  | 'ended_at'
> {
  agent: string;
  agent_name: string;
  asker: string;
  asker_name: string;
  /** Of the reply, while the account may read it. */
  message_id: Uint8Array | null;
  chat_id: Uint8Array | null;
  /** The decision about the call as JSON; of a deleted one `{}`. */
  decision: string | null;
}

/**
 * SQL: the calls that an account sees by one column, newest first. `tool_calls_of_asker` and `tool_calls_of_owner` contain
 * all that it compares. Calls of tools that were not offered name no server.
 */
const seenBy = (column: 'human_key' | 'owner_key'): string =>
  `SELECT key FROM (SELECT key FROM tool_calls
     WHERE ${column} = $1 AND created_at >= $2 AND (created_at, key) < ($3, $4) AND server <> ''
       AND (CAST($5 AS TEXT) = '' OR state IN ($5, $6))
       AND (CAST($7 AS TEXT) = '' OR agent_key = (SELECT z.key FROM accounts z WHERE z.username = $7))
     ORDER BY created_at DESC, key DESC LIMIT $8) ${column}s`;

/** The calls that were made for an account or with its account, since a time and before a place, newest first. */
export const shownCalls = statement<
  ShownCallRow,
  [
    account: number,
    since: number,
    before: number,
    beforeKey: number,
    state: CallState | '',
    otherState: CallState | '',
    agent: string,
    limit: number,
  ]
>(
  `SELECT t.key, t.id, t.human_key, t.server, t.host, t.tool, t.title, t.identity, t.writes, t.state, t.created_at,
     t.sent_at, t.ended_at, a.username AS agent, a.display_name AS agent_name, h.username AS asker,
     h.display_name AS asker_name, m.id AS message_id, k.id AS chat_id,
     (SELECT d.value FROM decisions d WHERE d.turn_key = t.turn_key AND d.call_key = t.key AND d.kind = 'call'
      ORDER BY d.message_key DESC LIMIT 1) AS decision
   FROM tool_calls t JOIN accounts a ON a.key = t.agent_key JOIN accounts h ON h.key = t.human_key
   LEFT JOIN messages m ON m.key = t.message_key AND ${isVisibleTo('$1')}
     AND EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = m.chat_key AND p.account_key = $1)
   LEFT JOIN chats k ON k.key = m.chat_key
   WHERE t.key IN (${seenBy('human_key')} UNION ${seenBy('owner_key')})
   ORDER BY t.created_at DESC, t.key DESC LIMIT $8`,
);

/** An answer that allows calls beyond the one that was asked about. */
export interface ShownGrantRow {
  id: Uint8Array;
  agent_key: number;
  server: string;
  tool: string;
  /** 0: everywhere. */
  chat_key: number;
  created_at: number;
  used_at: number | null;
  agent: string;
  agent_name: string;
  chat_id: Uint8Array | null;
  /** The server's address, and the tool as it was pinned; null where the agent has none of that name now. */
  url: string | null;
  definition: string | null;
}

/** SQL: an answer for everywhere stores two rows, one of them for where it was given, which it stands for. */
const sameTool = 'o.human_key = g.human_key AND o.agent_key = g.agent_key AND o.server = g.server AND o.tool = g.tool';

/** The answers of a person, before a place, newest first. */
export const shownGrants = statement<
  ShownGrantRow,
  [human: number, before: number, beforeId: Uint8Array, limit: number]
>(
  `SELECT g.id, g.agent_key, g.server, g.tool, g.chat_key, g.created_at, a.username AS agent,
     a.display_name AS agent_name, k.id AS chat_id, s.url, f.definition,
     (SELECT max(o.used_at) FROM tool_grants o WHERE ${sameTool} AND (g.chat_key = 0 OR o.chat_key = g.chat_key)) AS used_at
   FROM tool_grants g JOIN accounts a ON a.key = g.agent_key LEFT JOIN chats k ON k.key = g.chat_key
   LEFT JOIN tool_servers s ON s.agent_key = g.agent_key AND s.name = g.server
   LEFT JOIN tool_definitions f ON f.server_key = s.key AND f.name = g.tool
   WHERE g.human_key = $1 AND (g.created_at, g.id) < ($2, $3)
     AND (g.chat_key = 0 OR NOT EXISTS (SELECT 1 FROM tool_grants o WHERE ${sameTool} AND o.chat_key = 0))
   ORDER BY g.created_at DESC, g.id DESC LIMIT $4`,
);
export const ownGrant = statement<
  Pick<ShownGrantRow, 'agent_key' | 'server' | 'tool' | 'chat_key'>,
  [human: number, id: Uint8Array]
>('SELECT agent_key, server, tool, chat_key FROM tool_grants WHERE human_key = $1 AND id = $2');
/** Deletes an answer of a person; `everywhere` 1: all answers about the tool. */
export const dropGrant = statement<
  never,
  [human: number, agent: number, server: string, tool: string, chat: number, everywhere: number]
>(
  `DELETE FROM tool_grants WHERE human_key = $1 AND agent_key = $2 AND server = $3 AND tool = $4
     AND (CAST($6 AS BIGINT) = 1 OR chat_key = $5)`,
);
