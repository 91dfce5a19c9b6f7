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

interface Reactor {
  username: string;
  kind: 'human' | 'agent';
  display_name: string;
}
const reactor = 'a.username, a.kind, a.display_name';

export const firstReactions = statement<Reactor & { emoji: string }, [message: number, limit: number]>(
  `SELECT r.emoji, ${reactor} FROM reactions r JOIN accounts a ON a.key = r.account_key
   WHERE r.message_key = $1 ORDER BY r.key LIMIT $2`,
);
export const countsOf = statement<{ emoji: string; count: number }, [message: number]>(
  'SELECT emoji, count(*) AS count FROM reactions WHERE message_key = $1 GROUP BY emoji ORDER BY min(key)',
);
export const firstReactors = statement<Reactor, [message: number, emoji: string, limit: number]>(
  `SELECT ${reactor} FROM
     (SELECT key, account_key FROM reactions WHERE message_key = $1 AND emoji = $2 ORDER BY key LIMIT $3) r
   JOIN accounts a ON a.key = r.account_key ORDER BY r.key`,
);

export const dropReactions = statement<never, [message: number]>('DELETE FROM reactions WHERE message_key = $1');
