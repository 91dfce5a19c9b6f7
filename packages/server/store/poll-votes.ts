import { isVisibleTo } from './messages.ts';
import { statement } from './sql.ts';

export const voteOf = statement<{ options: number }, [message: number, account: number]>(
  'SELECT options FROM poll_votes WHERE message_key = $1 AND account_key = $2',
);
export const putVote = statement<never, [message: number, account: number, options: number, now: number]>(
  `INSERT INTO poll_votes (message_key, account_key, options, voted_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (message_key, account_key) DO UPDATE SET options = excluded.options, voted_at = excluded.voted_at`,
);
export const deleteVote = statement<never, [message: number, account: number]>(
  'DELETE FROM poll_votes WHERE message_key = $1 AND account_key = $2',
);
/** How many accounts have cast each vote. */
export const countVotes = statement<{ options: number; count: number }, [message: number]>(
  'SELECT options, count(*) AS count FROM poll_votes WHERE message_key = $1 GROUP BY options',
);
/** The accounts whose vote names an option, the bit `option`, in the order of their keys. */
export const votersFor = statement<
  { account_key: number; username: string; kind: 'human' | 'agent'; display_name: string },
  [message: number, option: number, after: number, limit: number]
>(
  `SELECT v.account_key, a.username, a.kind, a.display_name FROM poll_votes v JOIN accounts a ON a.key = v.account_key
   WHERE v.message_key = $1 AND (v.options & $2) <> 0 AND v.account_key > $3 ORDER BY v.account_key LIMIT $4`,
);

/** SQL: the account `$n` takes part and sees the message `m`. */
const isShownTo = (account: string): string =>
  `EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = m.chat_key AND p.account_key = ${account})
     AND ${isVisibleTo(account)}`;
/** An account's vote in a poll that it can see; 0 if it has none. */
export const shownVote = statement<{ id: Uint8Array; options: number }, [message: number, account: number]>(
  `SELECT m.id, coalesce(v.options, 0) AS options FROM messages m
   LEFT JOIN poll_votes v ON v.message_key = m.key AND v.account_key = $2 WHERE m.key = $1 AND ${isShownTo('$2')}`,
);
/** An account's votes in the listed polls that it can see. */
export const shownVotes = statement<{ id: Uint8Array; options: number }, [account: number]>(
  `SELECT m.id, v.options FROM messages m JOIN poll_votes v ON v.message_key = m.key AND v.account_key = $1
   WHERE m.id IN (:list) AND ${isShownTo('$1')}`,
);
