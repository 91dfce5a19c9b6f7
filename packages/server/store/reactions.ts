import { limits, type Message } from '@parley/protocol';
import { type Sql, statement } from './sql.ts';

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

const firstReactions = statement<Reactor & { emoji: string }, [message: number, limit: number]>(
  `SELECT r.emoji, ${reactor} FROM reactions r JOIN accounts a ON a.key = r.account_key
   WHERE r.message_key = $1 ORDER BY r.key LIMIT $2`,
);
const countsOf = statement<{ emoji: string; count: number }, [message: number]>(
  'SELECT emoji, count(*) AS count FROM reactions WHERE message_key = $1 GROUP BY emoji ORDER BY min(key)',
);
const firstReactors = statement<Reactor, [message: number, emoji: string, limit: number]>(
  `SELECT ${reactor} FROM
     (SELECT key, account_key FROM reactions WHERE message_key = $1 AND emoji = $2 ORDER BY key LIMIT $3) r
   JOIN accounts a ON a.key = r.account_key ORDER BY r.key`,
);

/** Reactions by emoji, in the order of first use, each with its first reactors (MSG-15). */
export async function shownReactions(tx: Sql, messageKey: number): Promise<Message['reactions']> {
  const first = await tx.all(firstReactions, messageKey, limits.shownReactors + 1);
  if (first.length > limits.shownReactors) return reactionsOfCrowd(tx, messageKey);
  const groups = new Map<string, Message['reactions'][number]>();
  for (const { emoji, username, kind, display_name } of first) {
    let group = groups.get(emoji);
    if (!group) groups.set(emoji, (group = { emoji, count: 0, reactors: [] }));
    group.count += 1;
    group.reactors.push({ username, kind, display_name });
  }
  return [...groups.values()];
}

/** If there are more reactions than are shown, reads only the counts and the reactors that are shown. */
async function reactionsOfCrowd(tx: Sql, messageKey: number): Promise<Message['reactions']> {
  const groups: Message['reactions'] = [];
  for (const { emoji, count } of await tx.all(countsOf, messageKey)) {
    const reactors = await tx.all(firstReactors, messageKey, emoji, limits.shownReactors);
    // If all reactors were read, count them: a reaction between the two reads could make the read count differ.
    const isCut = reactors.length === limits.shownReactors;
    if (reactors.length > 0) groups.push({ emoji, count: isCut ? count : reactors.length, reactors });
  }
  return groups;
}

export const dropReactions = statement<never, [message: number]>('DELETE FROM reactions WHERE message_key = $1');
