// Who may learn when an account is online, and when people were last seen (PRESENCE-1).
import { statement } from './sql.ts';

// Without a row everything is shared (READ-2).
const sharesLastSeen = (account: string): string =>
  `NOT EXISTS (SELECT 1 FROM privacy s WHERE s.account_key = ${account}.key AND s.last_seen = 0)`;
const hasBlocked = (one: readonly string[], other: readonly string[]): string =>
  `EXISTS (SELECT 1 FROM blocks b WHERE b.account_key IN (${one.join(', ')}) AND b.blocked_key IN (${other.join(', ')}))`;
const viewer = ['v.key'];
const target = ['t.key', 't.parent_key'];
/**
 * SQL: the person `v` may know whether `t` is online. Only people and bots are: the service runs all other agents. The
 * two share a conversation, neither has blocked the other, and if `t` is a person, both share when they are online.
 */
const mayKnow = `v.key <> t.key AND t.deleted_at IS NULL AND t.disabled_at IS NULL
   AND (t.kind = 'human' OR EXISTS (SELECT 1 FROM bots WHERE bots.account_key = t.key))
   AND (t.kind = 'agent' OR (${sharesLastSeen('v')} AND ${sharesLastSeen('t')}))
   AND NOT ${hasBlocked(viewer, target)} AND NOT ${hasBlocked(target, viewer)}
   AND EXISTS (SELECT 1 FROM participants p JOIN participants q ON q.chat_key = p.chat_key AND q.account_key = t.key
     WHERE p.account_key = v.key)`;

export interface PresentAccount {
  key: number;
  username: string;
  kind: 'human' | 'agent';
}

/** Those of the listed accounts, by username, whose presence a person may know. */
export const presentAmong = statement<PresentAccount, [viewer: number]>(
  `SELECT t.key, t.username, t.kind FROM accounts t JOIN accounts v ON v.key = $1
   WHERE t.username IN (:list) AND ${mayKnow}`,
);
/** Those of the listed people, by key, who may know an account's presence; with the account's name and kind. */
export const viewersAmong = statement<PresentAccount, [account: number]>(
  `SELECT v.key, t.username, t.kind FROM accounts v JOIN accounts t ON t.key = $1 WHERE v.key IN (:list) AND ${mayKnow}`,
);
/** When the listed people last used one of their sessions. */
export const lastSeenOf = statement<{ account_key: number; seen_at: number }>(
  `SELECT account_key, max(last_active_at) AS seen_at FROM sessions WHERE account_key IN (:list) GROUP BY account_key`,
);
