import { type Sql, statement } from './sql.ts';

export interface PollRow {
  /** The field `poll` of the Message, as JSON text. */
  value: string;
  published_at: number;
  is_stale: number;
}
export const pollOf = statement<PollRow, [message: number]>(
  'SELECT value, published_at, is_stale FROM polls WHERE message_key = $1',
);
export const insertPoll = statement<never, [message: number, value: string]>(
  'INSERT INTO polls (message_key, value, published_at) VALUES ($1, $2, 0)',
);
export const publishResults = statement<never, [message: number, value: string, now: number]>(
  'UPDATE polls SET value = $2, published_at = $3, is_stale = 0 WHERE message_key = $1',
);
export const markStale = statement<never, [message: number]>(
  'UPDATE polls SET is_stale = 1 WHERE message_key = $1 AND is_stale = 0',
);
/** Polls whose results are to be published, and their conversations. */
export const stalePolls = statement<{ message_key: number; chat_id: Uint8Array }, [limit: number]>(
  `SELECT p.message_key, c.id AS chat_id FROM polls p JOIN messages m ON m.key = p.message_key
   JOIN chats c ON c.key = m.chat_key WHERE p.is_stale = 1 ORDER BY p.message_key LIMIT $1`,
);

const dropPoll = statement<never, [message: number]>('DELETE FROM polls WHERE message_key = $1');
const dropVotes = statement<never, [message: number]>('DELETE FROM poll_votes WHERE message_key = $1');
export async function removePoll(tx: Sql, messageKey: number): Promise<void> {
  await tx.run(dropVotes, messageKey);
  await tx.run(dropPoll, messageKey);
}
