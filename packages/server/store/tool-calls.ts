// Turns that use tools: their stored steps, the ledger of their calls, and what people have allowed.
import type { CallState } from '../rules/call-states.ts';
import type { Identity } from '../rules/asking-calls.ts';
import { statement } from './sql.ts';

/** What a turn with steps must remember beside them. */
export interface ToolTurnRow {
  turn_key: number;
  /** Length of the text with which the turn began, in UTF-16 units. */
  began: number;
  /** How many calls it may make before a person is asked; 0: no more. */
  calls_allowed: number;
  /** 1 if its model has read what strangers may have written (CALL-8). */
  tainted: number;
}

export const toolTurn = statement<ToolTurnRow, [turn: number]>(
  'SELECT turn_key, began, calls_allowed, tainted FROM tool_turns WHERE turn_key = $1',
);
export const beginToolTurn = statement<never, [turn: number, began: number, allowed: number, tainted: number]>(
  'INSERT INTO tool_turns (turn_key, began, calls_allowed, tainted) VALUES ($1, $2, $3, $4)',
);
export const taintTurn = statement<never, [turn: number]>('UPDATE tool_turns SET tainted = 1 WHERE turn_key = $1');
export const allowCalls = statement<never, [turn: number, allowed: number]>(
  'UPDATE tool_turns SET calls_allowed = $2 WHERE turn_key = $1',
);
export const dropToolTurn = statement<never, [turn: number]>('DELETE FROM tool_turns WHERE turn_key = $1');

/** A stored step; its text and parts are those of the reply at its end, and empty unless it is the newest. */
export interface StepRow {
  turn_key: number;
  step: number;
  /** The vendor's blocks, sealed. */
  blocks: string;
  text: string;
  /** JSON; null if the reply had no parts. */
  parts: string | null;
}

export const insertStep = statement<
  never,
  [turn: number, step: number, blocks: string, text: string, parts: string | null]
>('INSERT INTO turn_steps (turn_key, step, blocks, text, parts) VALUES ($1, $2, $3, $4, $5)');
export const stepsOf = statement<StepRow, [turn: number]>(
  'SELECT turn_key, step, blocks, text, parts FROM turn_steps WHERE turn_key = $1 ORDER BY step',
);
/** Forgets how the reply was at earlier steps. */
export const emptySteps = statement<never, [turn: number, before: number]>(
  `UPDATE turn_steps SET text = '', parts = NULL WHERE turn_key = $1 AND step < $2`,
);
export const dropSteps = statement<never, [turn: number]>('DELETE FROM turn_steps WHERE turn_key = $1');
/** A claim counts anew from here: see `restartEvent`. */
export const setSteps = statement<never, [turn: number, steps: number]>(
  'UPDATE turns SET steps = $2, attempts = 1 WHERE key = $1',
);
/** Queues a waiting turn again; its next claim is the first one since its last step. */
export const resumeTurn = statement<never, [turn: number]>(
  `UPDATE turns SET state = 'queued', attempts = 0 WHERE key = $1`,
);

/** A call in the ledger. */
export interface CallRow {
  key: number;
  id: Uint8Array;
  turn_key: number;
  step: number;
  place: number;
  /** The id that the model gave it. */
  model_call: string;
  message_key: number;
  chat_key: number;
  agent_key: number;
  human_key: number;
  /** The agent's owner, if the call uses the owner's account; otherwise null. */
  owner_key: number | null;
  /** The earlier answer that allowed the call; null without one. */
  grant_id: Uint8Array | null;
  /** The part of the reply that shows it; null if the reply had no room for one. */
  part: string | null;
  server: string;
  host: string;
  tool: string;
  title: string | null;
  identity: Identity;
  writes: number;
  open_world: number;
  terms: string;
  state: CallState;
  /** Canonical JSON, sealed; null once it is deleted. */
  arguments: string | null;
  arguments_hash: string;
  /** Sealed: what the model gets. */
  result: string | null;
  /** What the server needs to go on with a call that asked for more, sealed. */
  input_state: string | null;
  shared: number;
  created_at: number;
  sent_at: number | null;
  ended_at: number | null;
}

const columns =
  'key, id, turn_key, step, place, model_call, message_key, chat_key, agent_key, human_key, owner_key, grant_id, part, server, host, tool, title, identity, writes, open_world, terms, state, arguments, arguments_hash, result, input_state, shared, created_at, sent_at, ended_at';

export const insertCall = statement<
  { key: number },
  [
    id: Uint8Array,
    turn: number,
    step: number,
    place: number,
    modelCall: string,
    message: number,
    chat: number,
    agent: number,
    human: number,
    owner: number | null,
    part: string | null,
    server: string,
    host: string,
    tool: string,
    title: string | null,
    identity: string,
    writes: number,
    openWorld: number,
    terms: string,
    state: CallState,
    args: string,
    argumentsHash: string,
    result: string | null,
    now: number,
  ]
>(
  `INSERT INTO tool_calls (id, turn_key, step, place, model_call, message_key, chat_key, agent_key, human_key, owner_key,
     part, server, host, tool, title, identity, writes, open_world, terms, state, arguments, arguments_hash, result, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)
   RETURNING key`,
);
export const callsOfTurn = statement<CallRow, [turn: number]>(
  `SELECT ${columns} FROM tool_calls WHERE turn_key = $1 ORDER BY step, place`,
);
export const callByKey = statement<CallRow, [key: number]>(`SELECT ${columns} FROM tool_calls WHERE key = $1`);
export const callById = statement<CallRow, [id: Uint8Array]>(`SELECT ${columns} FROM tool_calls WHERE id = $1`);
/** What a call has in bytes, without reading it. */
export interface CallSize {
  id: Uint8Array;
  turn_key: number;
  human_key: number;
  bytes: number;
}
export const callSizeById = statement<CallSize, [id: Uint8Array]>(
  `SELECT id, turn_key, human_key, coalesce(octet_length(arguments), 0) + coalesce(octet_length(result), 0) AS bytes
   FROM tool_calls WHERE id = $1`,
);
export const callsOfMessage = statement<CallRow, [message: number]>(
  `SELECT ${columns} FROM tool_calls WHERE message_key = $1 ORDER BY step, place`,
);
export const countCallsOfTurn = statement<{ count: number }, [turn: number]>(
  'SELECT count(*) AS count FROM tool_calls WHERE turn_key = $1',
);
/** The call was allowed by an earlier answer. */
export const setCallGrant = statement<never, [key: number, grant: Uint8Array]>(
  'UPDATE tool_calls SET grant_id = $2 WHERE key = $1',
);
export const setCallState = statement<never, [key: number, state: CallState]>(
  'UPDATE tool_calls SET state = $2 WHERE key = $1',
);
export const sendCall = statement<never, [key: number, now: number]>(
  `UPDATE tool_calls SET state = 'sending', sent_at = $2 WHERE key = $1`,
);
export const endCallRow = statement<never, [key: number, state: CallState, result: string | null, now: number]>(
  'UPDATE tool_calls SET state = $2, result = $3, input_state = NULL, ended_at = $4 WHERE key = $1',
);
/** Its result has what strangers may have written (CALL-8). */
export const markOpenWorld = statement<never, [key: number]>('UPDATE tool_calls SET open_world = 1 WHERE key = $1');
/** Nothing was carried out: the call is sent later, perhaps with another credential or with what its server asked for. */
export const repeatCall = statement<never, [key: number, state: CallState, inputState: string | null]>(
  'UPDATE tool_calls SET state = $2, input_state = $3, sent_at = NULL WHERE key = $1',
);
/** The answer to the call is bound to other terms from here on. */
export const setCallTerms = statement<never, [key: number, terms: string]>(
  'UPDATE tool_calls SET terms = $2 WHERE key = $1',
);
export const shareCall = statement<never, [key: number]>('UPDATE tool_calls SET shared = 1 WHERE key = $1');
/** Deletes what the calls of a message were asked and have answered. */
export const emptyCallsOfMessage = statement<never, [message: number]>(
  'UPDATE tool_calls SET arguments = NULL, result = NULL, input_state = NULL, shared = 0 WHERE message_key = $1',
);
/** Rows without contents, of messages that were deleted. */
export const forgetCalls = statement<never, [before: number, limit: number]>(
  `DELETE FROM tool_calls WHERE key IN
     (SELECT key FROM tool_calls WHERE arguments IS NULL AND created_at < $1 ORDER BY created_at LIMIT $2)`,
);

/** Who reads a conversation beside an agent: people first. */
export const readersOf = statement<{ username: string }, [chat: number, agent: number, limit: number]>(
  `SELECT a.username FROM participants p JOIN accounts a ON a.key = p.account_key
   WHERE p.chat_key = $1 AND a.key <> $2 ORDER BY a.kind DESC, a.username LIMIT $3`,
);
export const countReaders = statement<{ count: number }, [chat: number, agent: number]>(
  'SELECT count(*) AS count FROM participants WHERE chat_key = $1 AND account_key <> $2',
);

export interface GrantRow {
  id: Uint8Array;
  /** 0: everywhere. */
  chat_key: number;
  terms: string;
}

export const grantsFor = statement<GrantRow, [human: number, agent: number, server: string, tool: string]>(
  'SELECT id, chat_key, terms FROM tool_grants WHERE human_key = $1 AND agent_key = $2 AND server = $3 AND tool = $4',
);
/** A new answer has not been used; one of other terms is another one, which allows nothing of what the former one did. */
export const storeGrant = statement<
  never,
  [human: number, agent: number, server: string, tool: string, chat: number, terms: string, now: number, id: Uint8Array]
>(
  `INSERT INTO tool_grants (human_key, agent_key, server, tool, chat_key, terms, created_at, id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (human_key, agent_key, server, tool, chat_key) DO UPDATE SET terms = excluded.terms,
     created_at = excluded.created_at, used_at = NULL,
     id = CASE WHEN tool_grants.terms = excluded.terms THEN tool_grants.id ELSE excluded.id END`,
);
export const grantById = statement<{ found: number }, [id: Uint8Array]>(
  'SELECT 1 AS found FROM tool_grants WHERE id = $1',
);
export const useGrant = statement<never, [id: Uint8Array, now: number]>(
  'UPDATE tool_grants SET used_at = $2 WHERE id = $1',
);
export const dropGrantsOfAgent = statement<never, [agent: number]>('DELETE FROM tool_grants WHERE agent_key = $1');
/** What was allowed for an agent's server. */
export const dropGrantsOfServer = statement<never, [agent: number, server: string]>(
  'DELETE FROM tool_grants WHERE agent_key = $1 AND server = $2',
);
/** An agent that was removed from a conversation may do nothing there any more. */
export const dropGrantsOfAgentIn = statement<never, [agent: number, chat: number]>(
  'DELETE FROM tool_grants WHERE agent_key = $1 AND chat_key = $2',
);
/** A person who leaves a conversation allows nothing there any more. */
export const dropGrantsIn = statement<never, [human: number, chat: number]>(
  'DELETE FROM tool_grants WHERE human_key = $1 AND chat_key = $2',
);

export type SealedContent = 'arguments' | 'result' | 'input';

const sealedIn = (column: string) => ({
  /** A page of the sealed values, after a key. */
  after: statement<{ key: number; id: Uint8Array; sealed: string }, [key: number, limit: number]>(
    `SELECT key, id, ${column} AS sealed FROM tool_calls WHERE key > $1 AND ${column} IS NOT NULL ORDER BY key LIMIT $2`,
  ),
  /** Changes nothing if the value is no longer `former`. */
  reseal: statement<never, [key: number, former: string, sealed: string]>(
    `UPDATE tool_calls SET ${column} = $3 WHERE key = $1 AND ${column} = $2`,
  ),
});
export const sealedContents = {
  arguments: sealedIn('arguments'),
  result: sealedIn('result'),
  input: sealedIn('input_state'),
} as const satisfies Record<SealedContent, ReturnType<typeof sealedIn>>;
/** A page of all steps, after a primary key. */
export const sealedSteps = statement<
  Pick<StepRow, 'turn_key' | 'step' | 'blocks'>,
  [turn: number, step: number, limit: number]
>(`SELECT turn_key, step, blocks FROM turn_steps WHERE (turn_key, step) > ($1, $2) ORDER BY turn_key, step LIMIT $3`);
export const resealStep = statement<never, [turn: number, step: number, former: string, sealed: string]>(
  'UPDATE turn_steps SET blocks = $4 WHERE turn_key = $1 AND step = $2 AND blocks = $3',
);
