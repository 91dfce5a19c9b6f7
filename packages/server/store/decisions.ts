// Decisions: what is asked with a message, who may decide it, and what became of it (DECIDE-1). Made and settled in
// messages/decisions.
import { type DecisionKind, type DecisionState, limits } from '@parley/protocol';
import { isVisibleTo, type Light, lightColumns, type MessageRow } from './messages.ts';
import { type Statement, statement } from './sql.ts';

export interface DecisionRow {
  message_key: number;
  chat_key: number;
  asker_key: number;
  kind: DecisionKind;
  state: DecisionState;
  /** `listed`: the rows of `decision_people`. */
  deciders: 'anyone' | 'admins' | 'listed';
  is_private: number;
  expires_at: number | null;
  /** The turn of an agent that waits for it, and the call of a tool that it is about. */
  turn_key: number | null;
  call_key: number | null;
  /** The field `decision` of the Message, as JSON text. */
  value: string;
}

const columns =
  'd.message_key, d.chat_key, d.asker_key, d.kind, d.state, d.deciders, d.is_private, d.expires_at, d.turn_key, d.call_key, d.value';

export const insertDecision = statement<
  never,
  [
    message: number,
    chat: number,
    asker: number,
    kind: DecisionKind,
    deciders: DecisionRow['deciders'],
    isPrivate: number,
    expiresAt: number | null,
    turn: number | null,
    call: number | null,
    value: string,
  ]
>(
  `INSERT INTO decisions (message_key, chat_key, asker_key, kind, state, deciders, is_private, expires_at, turn_key, call_key, value)
   VALUES ($1, $2, $3, $4, 'open', $5, $6, $7, $8, $9, $10)`,
);
/** Names an account as a decider (1), or as one for whom a private decision exists all the same (0). */
export const insertPerson = statement<never, [message: number, account: number, decides: number]>(
  `INSERT INTO decision_people (message_key, account_key, decides) VALUES ($1, $2, $3)
   ON CONFLICT (message_key, account_key) DO NOTHING`,
);
export const decisionOf = statement<DecisionRow, [message: number]>(
  `SELECT ${columns} FROM decisions d WHERE d.message_key = $1`,
);
export const valueOf = statement<{ value: string }, [message: number]>(
  'SELECT value FROM decisions WHERE message_key = $1',
);
export const endDecision = statement<never, [message: number, state: DecisionState, value: string]>(
  'UPDATE decisions SET state = $2, value = $3 WHERE message_key = $1',
);
/** What a deleted message keeps of its decision: for whom it existed, if it was private. */
export const emptyDecision = statement<never, [message: number]>(
  `UPDATE decisions SET state = CASE WHEN state = 'open' THEN 'withdrawn' ELSE state END, value = '{}' WHERE message_key = $1`,
);
export const openDecisionsOfTurn = statement<DecisionRow, [turn: number]>(
  `SELECT ${columns} FROM decisions d WHERE d.turn_key = $1 AND d.state = 'open' ORDER BY d.message_key`,
);
/** Open decisions of a channel. */
export const openDecisionsOfChannel = statement<DecisionRow, [chat: number, channel: number]>(
  `SELECT ${columns} FROM decisions d JOIN messages m ON m.key = d.message_key
   WHERE d.chat_key = $1 AND d.state = 'open' AND m.channel_key = $2 ORDER BY d.message_key`,
);
/** The newest form of a call of a tool, with what was filled in. */
export const inputOfCall = statement<{ value: string }, [turn: number, call: number]>(
  `SELECT d.value FROM decisions d WHERE d.turn_key = $1 AND d.call_key = $2 AND d.kind = 'input'
   ORDER BY d.message_key DESC LIMIT 1`,
);
/** What a call of a turn has asked people. */
export const questionOfCall = statement<DecisionRow, [turn: number, call: number]>(
  `SELECT ${columns} FROM decisions d WHERE d.turn_key = $1 AND d.call_key = $2 AND d.kind = 'question'`,
);
export const countQuestionsOfTurn = statement<{ count: number }, [turn: number]>(
  `SELECT count(*) AS count FROM decisions WHERE turn_key = $1 AND kind = 'question'`,
);
/** The decisions of the kind `budget` of the turns of a chain, oldest first. */
export const budgetsOfChain = statement<DecisionRow, [rootMessage: number]>(
  `SELECT ${columns} FROM turns t JOIN decisions d ON d.turn_key = t.key
   WHERE t.root_message_key = $1 AND d.kind = 'budget' ORDER BY d.message_key`,
);
const loginsOf = (state: string): string =>
  `SELECT ${columns} FROM turns t JOIN decisions d ON d.turn_key = t.key JOIN tool_calls c ON c.key = d.call_key
   WHERE t.runner = 'server' AND t.state = '${state}' AND t.agent_key = $1 AND t.human_key = $3 AND c.server = $2
     AND d.kind = 'login' AND d.state = 'open'`;
/** The open decisions for which an asker of calls must sign in to a server of an agent. */
export const openLoginsOf = statement<DecisionRow, [agent: number, server: string, asker: number]>(
  // A SELECT for each partial index.
  ['waiting', 'streaming', 'queued'].map(loginsOf).join(' UNION ALL '),
);
/** The accounts for which a private decision exists, as far as they take part. */
export const readersOfPrivate = statement<{ account_key: number }, [message: number]>(
  `SELECT r.account_key FROM decisions d JOIN decision_people r ON r.message_key = d.message_key
   JOIN participants q ON q.chat_key = d.chat_key AND q.account_key = r.account_key WHERE d.message_key = $1
   ORDER BY r.account_key`,
);

/** SQL: participant `p` of the conversation of decision `d`, a person, is one of its deciders (DECIDE-4). */
const mayDecide = `(d.deciders = 'anyone' OR (d.deciders = 'admins' AND p.role <> 'member')
   OR (d.deciders = 'listed' AND EXISTS (SELECT 1 FROM decision_people l
     WHERE l.message_key = d.message_key AND l.account_key = p.account_key AND l.decides = 1)))`;
const deciding = `decisions d JOIN participants p ON p.chat_key = d.chat_key`;
const isPerson = `EXISTS (SELECT 1 FROM accounts z WHERE z.key = p.account_key AND z.kind = 'human')`;

export const isDecider = statement<{ found: number }, [message: number, account: number]>(
  `SELECT 1 AS found FROM ${deciding} WHERE d.message_key = $1 AND p.account_key = $2 AND ${isPerson} AND ${mayDecide}`,
);
/** SQL: the open decisions that the account `$1` may decide and sees, of messages `m`. */
const waiting = (account: string): string => `d.state = 'open' AND p.account_key = ${account} AND ${isPerson}
   AND ${mayDecide} AND ${isVisibleTo(account)}`;
// SQLite would read all decisions of the conversation, and look which are open: the index of the open ones has what `o` needs.
const openInChat = `decisions o JOIN decisions d ON d.message_key = o.message_key JOIN participants p ON p.chat_key = d.chat_key`;
/** The messages of a conversation with open decisions that the account may decide, newest first. */
export const openFor = statement<{ id: Uint8Array }, [account: number, chat: number]>(
  `SELECT m.id FROM ${openInChat} JOIN messages m ON m.key = d.message_key
   WHERE o.chat_key = $2 AND o.state = 'open' AND ${waiting('$1')} ORDER BY o.message_key DESC LIMIT ${limits.openDecisions}`,
);
/** An open decision of a conversation that its owner and admins may decide, if there is one. */
export const openForAdmins = statement<{ found: number }, [chat: number]>(
  `SELECT 1 AS found FROM decisions WHERE chat_key = $1 AND state = 'open' AND deciders = 'admins' LIMIT 1`,
);
/** SQL: the items of an account's inbox that are open decisions (INBOX-11); they are no rows of `inbox`. */
export const itemsToDecide = (account: string): string =>
  `SELECT p.account_key, d.message_key, d.chat_key, 'decision' AS reason
   FROM participants p JOIN decisions d ON d.chat_key = p.chat_key JOIN messages m ON m.key = d.message_key
   WHERE ${waiting(account)}`;

/** What a page of decisions reads, conversation by conversation, so that it reads no more than it shows (DECIDE-13). */
interface DecisionPages {
  /** The conversations of an account, each with its newest decision before one; null if it has none. */
  chats: Statement<{ chat_key: number; newest: number | null }, [account: number, before: number]>;
  /** Messages of one with decisions, newest first: of a person (1) those that it may decide or asked, else those it asked. */
  inChat: Statement<
    Light<MessageRow>,
    [account: number, chat: number, isPerson: number, before: number, state: string, limit: number]
  >;
}
const chatsWith = (state: string): DecisionPages['chats'] =>
  statement(
    `SELECT p.chat_key, (SELECT max(d.message_key) FROM decisions d
       WHERE d.chat_key = p.chat_key AND d.message_key < $2${state}) AS newest
     FROM participants p WHERE p.account_key = $1`,
  );
/** `from`: in which `key` is of the decisions of one conversation, in the order of an index. */
const inChat = (from: string, key: 'd' | 'o', state: string): DecisionPages['inChat'] =>
  statement(
    `SELECT ${lightColumns} FROM ${from} JOIN messages m ON m.key = d.message_key
     WHERE ${key}.chat_key = $2 AND ${key}.message_key < $4${state} AND p.account_key = $1
       AND (CAST($5 AS TEXT) = '' OR d.state = $5)
       AND (d.asker_key = $1 OR (CAST($3 AS BIGINT) = 1 AND ${mayDecide})) AND ${isVisibleTo('$1')}
     ORDER BY ${key}.message_key DESC LIMIT $6`,
  );
export const decisionPages = {
  any: { chats: chatsWith(''), inChat: inChat(deciding, 'd', '') },
  open: { chats: chatsWith(` AND d.state = 'open'`), inChat: inChat(openInChat, 'o', ` AND o.state = 'open'`) },
} satisfies Record<string, DecisionPages>;

/** A decision whose time has run out, with what its unit locks. */
export interface DueDecision {
  message_key: number;
  id: Uint8Array;
}
export const dueDecisions = statement<DueDecision, [now: number, after: number, limit: number]>(
  `SELECT d.message_key, m.id FROM decisions d JOIN messages m ON m.key = d.message_key
   WHERE d.state = 'open' AND d.expires_at <= $1 AND d.message_key > $2 ORDER BY d.message_key LIMIT $3`,
);
