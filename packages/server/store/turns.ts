import type { Part } from '@parley/protocol';
import { statement } from './sql.ts';
import type { TurnState } from '../rules/turn-states.ts';
import type { Reservation } from '../rules/budgets.ts';
import type { Payer } from '../rules/who-pays.ts';

/**
 * A firing and its turn. `human_key` is the human on whose behalf it runs, `root_message_key` the message that began the
 * chain.
 */
export interface TurnRow {
  key: number;
  message_key: number;
  agent_key: number;
  chat_key: number;
  channel_key: number;
  thread_key: number;
  human_key: number;
  root_message_key: number;
  hop: number;
  runner: 'server' | 'daemon';
  state: TurnState;
  attempts: number;
  reply_key: number | null;
  created_at: number;
  /** Null before it is claimed, for a daemon's turn, and if no key may be used (KEY-10). */
  payer: Payer | null;
  /** 1 in a chain at the cost of an agent's owner, who is `human_key`, because nobody asked that agent (DISPATCH-16). */
  unprompted: number;
  /** 1 if the message asked the agent, 0 if the agent only heard it (DISPATCH-19). */
  asked: number;
  /** How many messages of the agent, beside its reply, quote the message. */
  quotes: number;
  /** The agent's owner, whose agents' turns share a limit (TURN-18); 0 for the guide. */
  owner_key: number;
  /** How many of its steps are stored (CALL-1); 0 for a turn that has called no tool. */
  steps: number;
}

/** Identifies a turn queue: the turns of one agent for one human, of which a few run at once (TURN-11). */
export type TurnQueueKey = Pick<TurnRow, 'agent_key' | 'human_key' | 'owner_key'>;

export const turnColumns =
  'key, message_key, agent_key, chat_key, channel_key, thread_key, human_key, root_message_key, hop, runner, state, attempts, reply_key, created_at, payer, unprompted, asked, quotes, owner_key, steps';
const columns = turnColumns;

export const insertTurn = statement<
  { key: number },
  [
    message: number,
    agent: number,
    chat: number,
    channel: number,
    thread: number,
    human: number,
    rootMessage: number,
    hop: number,
    runner: string,
    now: number,
    unprompted: number,
    follows: number,
    asked: number,
    owner: number,
  ]
>(
  `INSERT INTO turns (message_key, agent_key, chat_key, channel_key, thread_key, human_key, root_message_key, hop, runner, state, created_at, unprompted, follows, asked, owner_key)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', $10, $11, $12, $13, $14) RETURNING key`,
);
/** The agents that follow a thread: a message after `since` fired them there, since they follow threads. */
export const followersOf = statement<{ account_key: number }, [chat: number, thread: number, since: number]>(
  `SELECT p.account_key FROM participants p WHERE p.chat_key = $1 AND p.follows_from IS NOT NULL AND EXISTS (
     SELECT 1 FROM turns t WHERE t.thread_key = $2 AND t.agent_key = p.account_key AND t.follows = 1
     AND t.created_at > $3 AND t.created_at >= p.follows_from)`,
);
export const endFollowing = statement<never, [thread: number, agent: number]>(
  'UPDATE turns SET follows = 0 WHERE thread_key = $1 AND agent_key = $2 AND follows = 1',
);
export const turnByKey = statement<TurnRow, [key: number]>(`SELECT ${columns} FROM turns WHERE key = $1`);
/** SQL. The `+` keeps SQLite from the index of agents: it would read all turns of the agent instead of the message's. */
const ofMessage = 'message_key = $1 AND +agent_key = $2';
/** The firing of an agent by one message. */
export const turnOf = statement<TurnRow, [message: number, agent: number]>(
  `SELECT ${columns} FROM turns WHERE ${ofMessage}`,
);
/** Counts one more message of the agent that quotes the message which fired it. */
export const countQuote = statement<TurnRow, [message: number, agent: number]>(
  `UPDATE turns SET quotes = quotes + 1 WHERE ${ofMessage} AND runner = 'daemon' RETURNING ${columns}`,
);
/** The newest turn that wrote a reply: a continued reply has one for each time. */
export const turnOfReply = statement<TurnRow, [reply: number]>(
  `SELECT ${columns} FROM turns WHERE reply_key = $1 ORDER BY key DESC LIMIT 1`,
);
/** An open turn of the agent for this message: queued, streaming or waiting. */
export const openTurnOf = statement<{ key: number }, [message: number, agent: number]>(
  `SELECT key FROM turns WHERE ${ofMessage} AND state IN ('queued', 'streaming', 'waiting') LIMIT 1`,
);
/** The newest firing of an agent in a timeline after a moment. */
export const newestTurn = statement<
  TurnRow,
  [agent: number, chat: number, channel: number, thread: number, since: number]
>(
  `SELECT ${columns} FROM turns WHERE agent_key = $1 AND chat_key = $2 AND channel_key = $3 AND thread_key = $4
   AND created_at > $5 ORDER BY key DESC LIMIT 1`,
);
export const countFirings = statement<{ count: number }, [rootMessage: number]>(
  'SELECT count(*) AS count FROM turns WHERE root_message_key = $1',
);
/** The number of firings at the cost of one owner, whose agents nobody had asked. */
export const countUnprompted = statement<{ count: number }, [owner: number, since: number]>(
  'SELECT count(*) AS count FROM turns WHERE unprompted = 1 AND human_key = $1 AND created_at > $2',
);
/** SQL: open turns, each half through a partial index. */
const openIn = (place: string): string =>
  `SELECT ${columns} FROM turns WHERE ${place} AND runner = 'server' AND state IN ('queued', 'streaming')
   UNION ALL SELECT ${columns} FROM turns WHERE ${place} AND state = 'waiting' ORDER BY key`;
export const openTurnsOfChat = statement<TurnRow, [chat: number]>(openIn('chat_key = $1'));
export const openTurnsOfAgentInChat = statement<TurnRow, [chat: number, agent: number]>(
  openIn('chat_key = $1 AND agent_key = $2'),
);
/** The open turns of a human in a conversation that have called tools, or that a limit of their chain holds. */
export const askingTurnsOfHumanInChat = statement<TurnRow, [chat: number, human: number]>(
  openIn(`chat_key = $1 AND human_key = $2 AND (steps > 0 OR state = 'waiting')`),
);
/** The turns of a chain that a limit of it holds (DISPATCH-22), in the order of their firings. */
export const heldTurns = statement<TurnRow, [rootMessage: number]>(
  `SELECT ${columns} FROM turns WHERE root_message_key = $1 AND state = 'waiting' AND steps = 0 AND reply_key IS NULL
   ORDER BY key`,
);
/** Queues a turn that was held, as if its message fired it now. */
export const releaseTurn = statement<never, [turn: number, now: number]>(
  `UPDATE turns SET state = 'queued', created_at = $2 WHERE key = $1`,
);
/** The open turns of provider agents that one human has fired. */
export const openTurnsOfHuman = statement<TurnRow, [human: number]>(openIn('human_key = $1'));
/** The number of waiting replies of a human; counting stops at the limit. */
export const countWaitingOfHuman = statement<{ count: number }, [human: number, limit: number]>(
  `SELECT count(*) AS count FROM (
     SELECT 1 FROM turns WHERE state = 'waiting' AND human_key = $1 AND reply_key IS NOT NULL LIMIT $2) AS waiting`,
);
const waits = `FROM turns WHERE runner = 'server' AND state = 'queued'`;
const waitsInQueue = `${waits} AND agent_key = $1 AND human_key = $2`;
/** All waiting turns, by turn queue. The order is the index's: otherwise the whole table would be read. */
export const waitingTurns = statement<TurnRow>(`SELECT ${columns} ${waits} ORDER BY agent_key, human_key, key`);
/** The first waiting turns of a turn queue. */
export const waitingInQueue = statement<TurnRow, [agent: number, human: number, limit: number]>(
  `SELECT ${columns} ${waitsInQueue} ORDER BY key LIMIT $3`,
);
/** The number of waiting turns of a turn queue; counting stops at the limit. */
export const countWaiting = statement<{ count: number }, [agent: number, human: number, limit: number]>(
  `SELECT count(*) AS count FROM (SELECT 1 ${waitsInQueue} LIMIT $3) AS waiting`,
);
const runsInQueue = `FROM turns WHERE runner = 'server' AND state = 'streaming' AND agent_key = $1 AND human_key = $2`;
/** The number of running turns of a turn queue; counting stops at the limit. */
export const countRunning = statement<{ count: number }, [agent: number, human: number, limit: number]>(
  `SELECT count(*) AS count FROM (SELECT 1 ${runsInQueue} LIMIT $3) AS running`,
);
/** The number of turns that run, or wait before the given one; counting stops at the limit. */
export const countAhead = statement<{ count: number }, [agent: number, human: number, turn: number, limit: number]>(
  `SELECT count(*) AS count FROM (SELECT 1 ${runsInQueue} UNION ALL SELECT 1 ${waitsInQueue} AND key < $3 LIMIT $4) AS ahead`,
);
/** The number of running turns of all agents of an owner; counting stops at the limit. */
export const countRunningOfOwner = statement<{ count: number }, [owner: number, limit: number]>(
  `SELECT count(*) AS count FROM (SELECT 1 FROM turns WHERE runner = 'server' AND state = 'streaming' AND owner_key = $1
   LIMIT $2) AS running`,
);
const humansWaiting = `SELECT min(w.human_key) FROM turns w
  WHERE w.runner = 'server' AND w.state = 'queued' AND w.owner_key = $1`;
/** A row of `waitingOfOwner`. */
export type WaitingOfOwner = { for_human: number; running_for_human: number } & (TurnRow | { key: null });
/** The human who was last given a place among the running turns of an owner's agents. */
export const lastPlacedOfOwner = statement<{ human_key: number }, [owner: number]>(
  `SELECT human_key FROM turns WHERE runner = 'server' AND state = 'streaming' AND owner_key = $1
   ORDER BY reply_key DESC LIMIT 1`,
);
/**
 * The waiting turns of an owner's agents for the next few humans after one: for each of them the first whose queue is
 * not full, or a row without a turn, and how many of that owner's run for the human. Reads no other waiting turns,
 * however many there are (TURN-17).
 */
export const waitingOfOwner = statement<
  WaitingOfOwner,
  [owner: number, afterHuman: number, humans: number, perHuman: number, perQueue: number]
>(
  `WITH RECURSIVE humans(human_key, place) AS (
     SELECT (${humansWaiting} AND w.human_key > $2), CAST(1 AS BIGINT)
     UNION ALL
     SELECT (${humansWaiting} AND w.human_key > humans.human_key), place + 1 FROM humans
     WHERE humans.human_key IS NOT NULL AND place < $3)
   SELECT humans.human_key AS for_human, (SELECT count(*) FROM turns r WHERE r.runner = 'server'
     AND r.state = 'streaming' AND r.owner_key = $1 AND r.human_key = humans.human_key) AS running_for_human, ${columns
       .split(', ')
       .map((column) => `t.${column}`)
       .join(', ')} FROM humans LEFT JOIN turns t ON t.key IN (
     SELECT w.key FROM turns w WHERE w.runner = 'server' AND w.state = 'queued' AND w.owner_key = $1
       AND w.human_key = humans.human_key AND (SELECT count(*) FROM turns r WHERE r.runner = 'server'
         AND r.state = 'streaming' AND r.agent_key = w.agent_key AND r.human_key = w.human_key) < $5
     ORDER BY w.key LIMIT $4)
   WHERE humans.human_key IS NOT NULL ORDER BY humans.place, t.key`,
);
export const setTurnState = statement<never, [key: number, state: TurnState]>(
  'UPDATE turns SET state = $2 WHERE key = $1',
);
/** For a turn that a node of an older version inserted. */
export const setTurnOwner = statement<never, [key: number, owner: number]>(
  'UPDATE turns SET owner_key = $2 WHERE key = $1',
);
export const claimTurn = statement<never, [key: number, reply: number, payer: Payer | null, reserved: number]>(
  `UPDATE turns SET state = 'streaming', reply_key = $2, attempts = attempts + 1, payer = $3, reserved_tokens = $4
   WHERE key = $1`,
);
export const reserveTokens = statement<never, [key: number, reserved: number]>(
  'UPDATE turns SET reserved_tokens = $2 WHERE key = $1',
);
/** Adds to what a turn has reserved. */
export const addReserved = statement<never, [key: number, more: number]>(
  'UPDATE turns SET reserved_tokens = reserved_tokens + $2 WHERE key = $1',
);
/** What the running turns of an agent, and the transcripts that it makes, have reserved of its budgets. */
export const reservationsOf = statement<Reservation, [agent: number, now: number, perTranscript: number]>(
  `SELECT human_key, chat_key, payer, reserved_tokens AS tokens FROM turns
   WHERE runner = 'server' AND state = 'streaming' AND agent_key = $1
   UNION ALL SELECT human_key, NULL, 'owner', CAST($3 AS BIGINT) FROM transcriptions WHERE agent_key = $1 AND expires_at > $2`,
);
/** What the running turns of an agent but one have used at their last checkpoint, and is not booked yet. */
export const unbookedOf = statement<Reservation, [agent: number, but: number]>(
  `SELECT t.human_key, t.chat_key, t.payer, s.input_tokens + s.output_tokens AS tokens
   FROM streams s JOIN turns t ON t.key = s.turn_key
   WHERE s.agent_key = $1 AND s.runner = 'server' AND t.key <> $2 AND s.input_tokens IS NOT NULL`,
);
/** The open turns of an agent in all conversations, found through the indexes of queued turns and of streams. */
export const openTurnsOfAgent = statement<TurnRow, [agent: number]>(
  `SELECT ${columns} FROM turns WHERE runner = 'server' AND state = 'queued' AND agent_key = $1
   UNION ALL SELECT ${columns} FROM turns WHERE runner = 'server' AND state = 'streaming'
     AND key IN (SELECT turn_key FROM streams WHERE agent_key = $1 AND turn_key IS NOT NULL)
   UNION ALL SELECT ${columns} FROM turns WHERE state = 'waiting' AND agent_key = $1`,
);

export interface StreamRow {
  message_key: number;
  agent_key: number;
  chat_key: number;
  turn_key: number | null;
  runner: 'server' | 'daemon';
  text: string;
  revision_reserved: number;
  cancel_requested: number;
  started_at: number;
  /** The node that has the reply in its memory. */
  node_key: number;
  /** The usage that the reply had reported at its last checkpoint; null if none. */
  input_tokens: number | null;
  output_tokens: number | null;
  /** The price of that usage; null if none is known. */
  currency: string | null;
  micros: number | null;
  /** JSON, see `storedParts`. */
  parts: string | null;
}
const streamColumns =
  'message_key, agent_key, chat_key, turn_key, runner, text, revision_reserved, cancel_requested, started_at, node_key, input_tokens, output_tokens, currency, micros, parts';

export const insertStream = statement<
  never,
  [
    message: number,
    agent: number,
    chat: number,
    turn: number | null,
    runner: string,
    reserved: number,
    now: number,
    node: number,
  ]
>(
  `INSERT INTO streams (message_key, agent_key, chat_key, turn_key, runner, text, revision_reserved, started_at, node_key)
   VALUES ($1, $2, $3, $4, $5, '', $6, $7, $8)`,
);
export const streamOf = statement<StreamRow, [message: number]>(
  `SELECT ${streamColumns} FROM streams WHERE message_key = $1`,
);
export const openStreams = statement<StreamRow>(`SELECT ${streamColumns} FROM streams ORDER BY message_key`);
export const countStreamsOf = statement<{ count: number }, [agent: number]>(
  'SELECT count(*) AS count FROM streams WHERE agent_key = $1',
);
export const openStreamsOfChat = statement<StreamRow, [chat: number]>(
  `SELECT ${streamColumns} FROM streams WHERE chat_key = $1 ORDER BY message_key`,
);
export const openStreamsOfAgent = statement<StreamRow, [agent: number]>(
  `SELECT ${streamColumns} FROM streams WHERE agent_key = $1 ORDER BY message_key`,
);
/** The open replies of an agent, without their texts. */
export const openRepliesOf = statement<{ record: string; cancel_requested: number }, [agent: number]>(
  `SELECT m.record, s.cancel_requested FROM streams s JOIN messages m ON m.key = s.message_key
   WHERE s.agent_key = $1 ORDER BY s.message_key`,
);
export const openStreamsOfChannel = statement<StreamRow, [chat: number, channel: number]>(
  `SELECT ${streamColumns} FROM streams WHERE chat_key = $1
   AND message_key IN (SELECT key FROM messages WHERE chat_key = $1 AND channel_key = $2 AND deleted_at IS NULL)
   ORDER BY message_key`,
);
/** An account, and the agents that it owns. */
const side = (human: string): string =>
  `(SELECT key FROM accounts WHERE key = ${human} UNION ALL SELECT key FROM accounts WHERE parent_key = ${human})`;
/** SQL: `chat` is a direct chat between the sides of two humans. */
const isDirectBetween = (chat: string): string =>
  `EXISTS (SELECT 1 FROM chats c JOIN participants mine ON mine.chat_key = c.key
     JOIN participants theirs ON theirs.chat_key = c.key
   WHERE c.key = ${chat} AND c.kind = 'direct' AND mine.account_key IN ${side('$1')}
     AND theirs.account_key IN ${side('$2')})`;
const isOfEither = `agent_key IN (SELECT key FROM accounts WHERE key IN ($1, $2)
  UNION ALL SELECT key FROM accounts WHERE parent_key IN ($1, $2))`;
const openBetween = (state: 'queued' | 'streaming' | 'waiting'): string =>
  `SELECT ${columns} FROM turns WHERE runner = 'server' AND state = '${state}' AND ${isOfEither}
   AND ${isDirectBetween('turns.chat_key')}`;
/** The open turns in all direct chats between two humans or their agents. */
export const openTurnsBetween = statement<TurnRow, [mine: number, theirs: number]>(
  `${openBetween('queued')} UNION ALL ${openBetween('streaming')} UNION ALL ${openBetween('waiting')} ORDER BY key`,
);
const openCausedBy = (whose: string): string =>
  `SELECT ${columns} FROM turns WHERE runner = 'server' AND ${whose} AND hop > 0
   AND EXISTS (SELECT 1 FROM messages m WHERE m.key = turns.message_key AND m.sender_key IN ${side('$2')})`;
/** The open turns of one human's agents, or on that human's behalf, for messages of another human's agents. */
export const openTurnsCausedBy = statement<TurnRow, [mine: number, theirs: number]>(
  // A SELECT for each partial index, with its condition: for an OR, SQLite would read the whole table.
  `${[
    `state IN ('queued', 'streaming') AND human_key = $1`,
    `state = 'queued' AND agent_key IN ${side('$1')}`,
    `state = 'streaming' AND agent_key IN ${side('$1')}`,
    `state = 'waiting' AND human_key = $1`,
    `state = 'waiting' AND agent_key IN ${side('$1')}`,
  ]
    .map(openCausedBy)
    .join(' UNION ')} ORDER BY key`,
);
export const openStreamsBetween = statement<StreamRow, [mine: number, theirs: number]>(
  `SELECT ${streamColumns} FROM streams WHERE ${isOfEither} AND ${isDirectBetween('streams.chat_key')}
   ORDER BY message_key`,
);
/** Changes nothing if it is late: what was stored since then has reserved more revisions. */
export const checkpointStream = statement<
  never,
  [message: number, text: string, reserved: number, parts: string | null]
>(
  'UPDATE streams SET text = $2, revision_reserved = $3, parts = $4 WHERE message_key = $1 AND revision_reserved <= $3',
);
/** The parts of an open reply at its last checkpoint. */
export const storedParts = ({ parts }: Pick<StreamRow, 'parts'>): readonly Part[] =>
  // As `checkpointStream` stores them.
  parts === null ? [] : (JSON.parse(parts) as Part[]);
/** Makes the node the owner of a stream that another process opened. */
export const takeStream = statement<never, [message: number, node: number]>(
  'UPDATE streams SET node_key = $2 WHERE message_key = $1 AND node_key <> $2',
);
export const requestCancel = statement<never, [message: number]>(
  'UPDATE streams SET cancel_requested = 1 WHERE message_key = $1',
);
export const deleteStream = statement<never, [message: number]>('DELETE FROM streams WHERE message_key = $1');

export const lastAlert = statement<{ at: number | null }, [root: number]>(
  'SELECT max(alerted_at) AS at FROM turns WHERE root_message_key = $1',
);
export const markAlert = statement<never, [root: number, now: number]>(
  'UPDATE turns SET alerted_at = $2 WHERE key = (SELECT max(key) FROM turns WHERE root_message_key = $1)',
);
export const lastUnpromptedAlert = statement<{ at: number | null }, [owner: number, since: number]>(
  'SELECT max(alerted_at) AS at FROM turns WHERE unprompted = 1 AND human_key = $1 AND created_at > $2',
);
export const markUnpromptedAlert = statement<never, [owner: number, since: number, now: number]>(
  `UPDATE turns SET alerted_at = $3 WHERE key =
     (SELECT max(key) FROM turns WHERE unprompted = 1 AND human_key = $1 AND created_at > $2)`,
);
