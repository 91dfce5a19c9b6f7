import { isChannelMuted } from './channel-mutes.ts';
import { isShownTo } from './chat-states.ts';
import { isNoNotice } from './messages.ts';
import { isChannelThere } from './newest-message.ts';
import type { PushPlatform } from './notifications.ts';
import { statement } from './sql.ts';

/** A message whose pushes are not sent yet. */
export interface QueuedPush {
  message_key: number;
  chat_key: number;
  sender_key: number;
}

export const insertPush = statement<never, [message: number, chat: number, sender: number, node: number]>(
  `INSERT INTO push_queue (message_key, chat_key, sender_key, node_key) VALUES ($1, $2, $3, $4)
   ON CONFLICT (message_key) DO NOTHING`,
);
export const queuedPushes = statement<QueuedPush, [limit: number]>(
  'SELECT message_key, chat_key, sender_key FROM push_queue ORDER BY message_key DESC LIMIT $1',
);
export const dequeuePushes = statement<{ message_key: number }>(
  'DELETE FROM push_queue WHERE message_key IN (:list) RETURNING message_key',
);
export const adoptPushes = statement<QueuedPush, [node: number, limit: number]>(
  `UPDATE push_queue SET node_key = $1 WHERE message_key IN (
     SELECT message_key FROM push_queue WHERE node_key IN (:list) ORDER BY message_key DESC LIMIT $2)
   RETURNING message_key, chat_key, sender_key`,
);

export interface TokenHolder {
  account_key: number;
  token_key: number;
  platform: PushPlatform;
  address: string;
}

export const membersFrom = statement<{ account_key: number }, [chat: number, account: number]>(
  'SELECT account_key FROM participants WHERE chat_key = $1 AND account_key >= $2 ORDER BY account_key',
);
/** The tokens of a range of participants, by account; `pushTarget` then decides which of them receive a push. */
export const tokensInChat = statement<TokenHolder, [chat: number, from: number, to: number]>(
  `SELECT t.account_key, t.key AS token_key, t.platform, t.address
   FROM participants p JOIN push_tokens t ON t.account_key = p.account_key
   WHERE p.chat_key = $1 AND p.account_key BETWEEN $2 AND $3 ORDER BY p.account_key, t.key`,
);

// A token of an expired session whose row still exists does not count.
const liveTokens = `push_tokens t JOIN accounts a ON a.key = t.account_key AND a.deleted_at IS NULL
   LEFT JOIN sessions s ON s.id = t.session_id`;
const isBound = '(t.session_id IS NULL OR s.expires_at > $2)';

/** The current state of a token, of its account's preferences, and of its account's participation in a conversation. */
export interface PushTarget {
  platform: PushPlatform;
  address: string;
  token: string;
  registered_at: number;
  badge_asked: number;
  /** The language of the device; null if it is not known. */
  locale: string | null;
  prefs: string | null;
  device_prefs: string | null;
  chat_id: Uint8Array;
  chat_kind: 'direct' | 'group';
  chat_title: string | null;
  chat_avatar: string | null;
  is_muted: number;
  muted_until: number | null;
  read_key: number;
}
export const pushTarget = statement<PushTarget, [token: number, now: number, account: number, chat: number]>(
  `SELECT t.platform, t.address, t.token, t.registered_at, t.badge_asked, t.locale, n.prefs, d.prefs AS device_prefs,
     c.id AS chat_id, c.kind AS chat_kind, c.title AS chat_title, c.avatar_name AS chat_avatar,
     p.is_muted, p.muted_until, p.read_key
   FROM ${liveTokens} JOIN participants p ON p.account_key = t.account_key AND p.chat_key = $4
   JOIN chats c ON c.key = p.chat_key
   LEFT JOIN notification_prefs n ON n.account_key = t.account_key
   LEFT JOIN device_prefs d ON d.session_id = t.session_id
   WHERE t.key = $1 AND t.account_key = $3 AND ${isBound}`,
);

/** The current state of a token and its last badge; independent of any conversation. */
export interface BadgeTarget {
  platform: PushPlatform;
  address: string;
  token: string;
  registered_at: number;
  badge: number;
  badge_asked: number;
  prefs: string | null;
  device_prefs: string | null;
}
export const badgeTarget = statement<BadgeTarget, [token: number, now: number, account: number]>(
  `SELECT t.platform, t.address, t.token, t.registered_at, t.badge, t.badge_asked, n.prefs,
     d.prefs AS device_prefs
   FROM ${liveTokens} LEFT JOIN notification_prefs n ON n.account_key = t.account_key
   LEFT JOIN device_prefs d ON d.session_id = t.session_id
   WHERE t.key = $1 AND t.account_key = $3 AND ${isBound}`,
);

/** Maximum count of a badge; counting stops there. */
const MAX_UNREAD = 9_999;
// SQL: neither read messages nor cleared ones are unread.
const readThrough = 'CASE WHEN p.cleared_key > p.read_key THEN p.cleared_key ELSE p.read_key END';
// SQL: a conversation in the archive (CHATSTATE-5): it is muted, or has no newer message that the account may see.
const isArchived = `p.archived_key IS NOT NULL AND ((p.is_muted = 1 AND (p.muted_until IS NULL OR p.muted_until > $3))
  OR NOT EXISTS (SELECT 1 FROM (
      SELECT 0 AS channel_key, 0 AS thread_key
      UNION ALL SELECT h.key, 0 FROM channels h WHERE h.chat_key = p.chat_key AND h.deleted_at IS NULL
      UNION ALL SELECT t.channel_key, t.root_key FROM threads t
        WHERE t.chat_key = p.chat_key AND t.last_key > p.archived_key AND ${isChannelThere}) x
    JOIN messages m ON m.chat_key = p.chat_key AND m.channel_key = x.channel_key AND m.thread_key = x.thread_key
      AND m.key > p.archived_key AND m.deleted_at IS NULL
      AND ${isShownTo('$1')}))`;
// Every timeline in which an account may have unread messages; $2 is 1 if groups count.
const timelines = `WITH own (chat_key, read_key) AS (
    SELECT p.chat_key, ${readThrough} FROM participants p JOIN chats c ON c.key = p.chat_key
    WHERE p.account_key = $1 AND (CAST($2 AS BIGINT) = 1 OR c.kind = 'direct') AND NOT (${isArchived})),
  timelines (chat_key, read_key, channel_key, thread_key) AS (
    SELECT chat_key, read_key, 0, 0 FROM own
    UNION ALL SELECT o.chat_key, o.read_key, h.key, 0 FROM own o JOIN channels h ON h.chat_key = o.chat_key
      WHERE h.deleted_at IS NULL AND NOT ${isChannelMuted('$1', 'h.key', '$3')}
    UNION ALL SELECT o.chat_key, o.read_key, r.channel_key, r.root_key FROM own o
      JOIN threads r ON r.chat_key = o.chat_key AND r.last_key > o.read_key
      WHERE r.channel_key = 0 OR (EXISTS (SELECT 1 FROM channels c WHERE c.key = r.channel_key AND c.deleted_at IS NULL)
        AND NOT ${isChannelMuted('$1', 'r.channel_key', '$3')}))`;
const unreadIn = `messages m WHERE m.chat_key = t.chat_key AND m.channel_key = t.channel_key
  AND m.thread_key = t.thread_key AND m.deleted_at IS NULL AND m.key > t.read_key AND m.sender_key <> $1
  AND ${isNoNotice('m')} AND ${isShownTo('$1')}`;

type Badge = [account: number, withGroups: number, now: number];
/** The number of unread messages, counted like `unread_count` of conversations (CONV-9). */
export const unreadMessages = statement<{ count: number }, Badge>(
  `${timelines} SELECT count(*) AS count FROM (
     SELECT 1 FROM timelines t CROSS JOIN ${unreadIn} LIMIT ${MAX_UNREAD}) AS counted`,
);
export const unreadChats = statement<{ count: number }, Badge>(
  `${timelines} SELECT count(DISTINCT t.chat_key) AS count FROM timelines t WHERE EXISTS (SELECT 1 FROM ${unreadIn})`,
);
