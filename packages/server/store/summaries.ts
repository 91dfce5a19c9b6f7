// Summaries of messages that no longer fit into an agent's context. They are derived: no API and no export has them.
import { mark } from './messages.ts';
import { statement } from './sql.ts';
import { isContext } from './timelines.ts';
import type { TurnRow } from './turns.ts';

type Place = [chat: number, channel: number, thread: number, agent: number, asker: number];

/**
 * Whose summary a turn uses: one that was made on the owner's key is shared by the turns that run on it; one that was
 * made on an asker's own key is that asker's alone (SUMMARY-6).
 */
export const summaryPlace = (turn: TurnRow): Place => [
  turn.chat_key,
  turn.channel_key,
  turn.thread_key,
  turn.agent_key,
  turn.payer === 'asker' ? turn.human_key : 0,
];

export interface SummaryRow {
  from_key: number;
  through_key: number;
  messages: number;
  is_whole: number;
  text: string | null;
}

const isPlace = 'chat_key = $1 AND channel_key = $2 AND thread_key = $3 AND agent_key = $4 AND asker_key = $5';

export const summaryOf = statement<SummaryRow, Place>(
  `SELECT from_key, through_key, messages, is_whole, text FROM summaries WHERE ${isPlace}`,
);
/** Begins an attempt; one that runs already for this place can no longer store its summary. */
export const beginSummary = statement<never, [...Place, reach: number, attempt: Uint8Array]>(
  `INSERT INTO summaries (chat_key, channel_key, thread_key, agent_key, asker_key, from_key, through_key, reach_key,
     messages, is_whole, text, attempt)
   VALUES ($1, $2, $3, $4, $5, 0, 0, $6, 0, 0, NULL, $7)
   ON CONFLICT (chat_key, channel_key, thread_key, agent_key, asker_key)
   DO UPDATE SET reach_key = excluded.reach_key, attempt = excluded.attempt`,
);
/** Changes nothing if the attempt's row was deleted meanwhile, or belongs to another attempt. */
export const storeSummary = statement<
  never,
  [...Place, attempt: Uint8Array, from: number, through: number, messages: number, isWhole: number, text: string]
>(
  `UPDATE summaries SET from_key = $7, through_key = $8, reach_key = $8, messages = $9, is_whole = $10, text = $11,
     attempt = NULL
   WHERE ${isPlace} AND attempt = $6`,
);

/** Deletes the summaries that cover a message, also those that are being made: its text has changed or is deleted. */
export const dropSummariesOf = statement<never, [chat: number, channel: number, thread: number, key: number]>(
  `DELETE FROM summaries WHERE chat_key = $1 AND (thread_key = $4
     OR (channel_key = $2 AND thread_key = $3 AND from_key <= $4 AND reach_key >= $4))`,
);
export const dropSummariesOfChat = statement<never, [chat: number]>('DELETE FROM summaries WHERE chat_key = $1');
export const dropSummariesOfChannel = statement<never, [chat: number, channel: number]>(
  'DELETE FROM summaries WHERE chat_key = $1 AND channel_key = $2',
);
export const dropSummariesOfAgent = statement<never, [agent: number]>('DELETE FROM summaries WHERE agent_key = $1');
/** The second condition lets the partial index serve the first one. */
export const dropSummariesOfAsker = statement<never, [asker: number]>(
  'DELETE FROM summaries WHERE asker_key = $1 AND asker_key <> 0',
);
/** Deletes the summaries of the conversations in which an account takes part: they may contain its name. */
export const dropSummariesAround = statement<never, [account: number]>(
  'DELETE FROM summaries WHERE chat_key IN (SELECT chat_key FROM participants WHERE account_key = $1)',
);

/** The messages of a timeline between two keys that a model may receive, newest first, and the sizes of their records. */
export const messagesBetween = statement<
  { key: number; bytes: number },
  [chat: number, channel: number, thread: number, after: number, through: number, limit: number]
>(
  `SELECT m.key, octet_length(m.record) AS bytes FROM messages m
   WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3 AND m.key > $4 AND m.key <= $5
     AND (m.marks & ${mark.replaced}) = 0 AND ${isContext} ORDER BY m.key DESC LIMIT $6`,
);
