import { statement } from './sql.ts';

export const reactionOf = statement<{ created_at: number }, [message: number, emoji: string, account: number]>(
  'SELECT created_at FROM reactions WHERE message_key = $1 AND emoji = $2 AND account_key = $3',
);
export const insertReaction = statement<never, [message: number, emoji: string, account: number, now: number]>(
  `INSERT INTO reactions (message_key, emoji, account_key, created_at, key)
   VALUES ($1, $2, $3, $4, 1 + coalesce((SELECT max(key) FROM reactions WHERE message_key = $1), 0))`,
);
export const deleteReaction = statement<never, [message: number, emoji: string, account: number]>(
  'DELETE FROM reactions WHERE message_key = $1 AND emoji = $2 AND account_key = $3',
);
export const countOtherEmoji = statement<{ count: number }, [message: number, emoji: string]>(
  'SELECT count(DISTINCT emoji) AS count FROM reactions WHERE message_key = $1 AND emoji <> $2',
);
