// Who may learn when an account is online and which status it shows, and when people were last seen (PRESENCE-1).
import { statement } from './sql.ts';
import { isShown, statusColumns, type StatusRow } from './statuses.ts';

// Without a row everything is shared (READ-2).
const sharesLastSeen = (account: string): string =>
  `NOT EXISTS (SELECT 1 FROM privacy s WHERE s.account_key = ${account} AND s.last_seen = 0)`;
const hasBlocked = (one: readonly string[], other: readonly string[]): string =>
  `EXISTS (SELECT 1 FROM blocks b WHERE b.account_key IN (${one.join(', ')}) AND b.blocked_key IN (${other.join(', ')}))`;
const viewer = ['v.key'];
const target = ['t.key', 't.parent_key'];
/** Conversations of an account that are compared with those of another: the newest. */
const MAX_COMPARED = 1_000;
const pair = `CASE WHEN v.key < t.key THEN v.key || ':' || t.key ELSE t.key || ':' || v.key END`;
// CROSS JOIN: SQLite would otherwise begin with all conversations of the other account.
const sharedAmongNewestOf = (one: string, other: string, condition: string): string =>
  `EXISTS (SELECT 1 FROM (SELECT chat_key FROM participants WHERE account_key = ${one}.key
     ORDER BY chat_key DESC LIMIT ${MAX_COMPARED}) n CROSS JOIN participants o CROSS JOIN participants q
   WHERE o.chat_key = n.chat_key AND o.account_key = ${other}.key AND q.chat_key = n.chat_key AND q.account_key = t.key
     AND ${condition})`;
/** SQL: the two share a conversation for whose participant `t`, the row `q`, the condition is true (PRESENCE-7). */
const share = (condition: string): string =>
  `(EXISTS (SELECT 1 FROM chats c JOIN participants q ON q.chat_key = c.key AND q.account_key = t.key
     JOIN participants o ON o.chat_key = c.key AND o.account_key = v.key
     WHERE c.direct_pair = ${pair} AND ${condition})
   OR ${sharedAmongNewestOf('t', 'v', condition)} OR ${sharedAmongNewestOf('v', 't', condition)})`;
/**
 * SQL: the person `v` may know what `t` shows. Only people and bots show anything: the service runs all other agents. The
 * two share a conversation, and neither has blocked the other.
 */
const mayKnow = `t.deleted_at IS NULL AND t.disabled_at IS NULL
   AND (t.kind = 'human' OR EXISTS (SELECT 1 FROM bots WHERE bots.account_key = t.key))
   AND NOT ${hasBlocked(viewer, target)} AND NOT ${hasBlocked(target, viewer)}
   AND (v.key = t.key OR ${share('1 = 1')})`;
/** SQL: `t` has started or joined such a conversation itself, or has written in it: `v` may be no stranger. */
const takesPart = share('q.was_added = 0');
/** SQL: that includes whether `t` is online; of a person, only if both share when they are online. */
const includesOnline = `CASE WHEN v.key <> t.key AND (t.kind = 'agent'
   OR (${sharesLastSeen('v.key')} AND ${sharesLastSeen('t.key')} AND ${takesPart})) THEN 1 ELSE 0 END`;

/** An account of which somebody may know something. */
export interface KnownAccount extends StatusRow {
  key: number;
  username: string;
  kind: 'human' | 'agent';
  includes_online: number;
}

const columns = `t.username, t.kind, ${includesOnline} AS includes_online, ${statusColumns}`;
const withStatus = `LEFT JOIN statuses s ON s.account_key = t.key AND ${isShown('$2')} AND (v.key = t.key OR ${takesPart})`;

/** Those of the listed accounts, by username, that a person may know something of. */
export const knownAmong = statement<KnownAccount, [viewer: number, now: number]>(
  `SELECT t.key, ${columns} FROM accounts t JOIN accounts v ON v.key = $1 ${withStatus}
   WHERE t.username IN (:list) AND ${mayKnow}`,
);
/** Those of the listed people, by key, who may know something of an account; with what each of them may know. */
export const viewersAmong = statement<KnownAccount, [account: number, now: number]>(
  `SELECT v.key, ${columns} FROM accounts v JOIN accounts t ON t.key = $1 ${withStatus}
   WHERE v.key IN (:list) AND ${mayKnow}`,
);
/**
 * Those of the listed people of a conversation, by key, of whom an account may learn that they are online, and the account
 * itself. A bot learns no more than its owner shares (READ-2).
 */
export const sharingIn = statement<{ key: number; username: string }, [chat: number, account: number]>(
  `SELECT t.key, t.username FROM participants p JOIN accounts t ON t.key = p.account_key
   JOIN accounts v ON v.key = $2
   WHERE p.chat_key = $1 AND t.key IN (:list) AND t.deleted_at IS NULL AND t.disabled_at IS NULL
     AND (t.key = v.key OR (${sharesLastSeen('t.key')} AND ${sharesLastSeen('v.key')} AND ${sharesLastSeen('v.parent_key')}
       AND NOT ${hasBlocked(viewer, target)} AND NOT ${hasBlocked(target, viewer)}
       AND (p.was_added = 0 OR ${takesPart})))`,
);
/** When the listed people last used one of their sessions. */
export const lastSeenOf = statement<{ account_key: number; seen_at: number }>(
  `SELECT account_key, max(last_active_at) AS seen_at FROM sessions WHERE account_key IN (:list) GROUP BY account_key`,
);
