import { isShownTo } from './chat-states.ts';
import { mark } from './marks.ts';
import type { ChatKind } from '../rules/push-delivery.ts';
import type { PushPlatform } from './notifications.ts';
import { statement } from './sql.ts';

/**
 * Maximum conversations per device whose shown notification is remembered; those with the newest messages stay
 * (PUSH-22).
 */
export const MAX_SHOWN = 200;

// SQL: the notification of message `m` should still be shown to participant `p`. `h` is the channel of `m`, if any.
const isWanted = `p.read_key < m.key AND p.cleared_key < m.key AND m.deleted_at IS NULL AND h.deleted_at IS NULL
  AND ${isShownTo('p.account_key')}
  AND ((m.marks & ${mark.decision}) = 0
    OR EXISTS (SELECT 1 FROM decisions o WHERE o.message_key = m.key AND o.state = 'open'))`;
const messageFor = (account: string): string =>
  `messages m LEFT JOIN participants p ON p.chat_key = m.chat_key AND p.account_key = ${account}
   LEFT JOIN channels h ON h.key = m.channel_key`;
const isOver = `(CASE WHEN ${isWanted} THEN 0 ELSE 1 END)`;
const isRowOver = `1 = (SELECT ${isOver} FROM ${messageFor('shown_pushes.account_key')}
  WHERE m.key = shown_pushes.message_key)`;

/** The notification of a conversation that a device shows. */
export interface ShownPush {
  tokenKey: number;
  accountKey: number;
  chatKey: number;
  /** Null if it was taken back. */
  messageKey: number | null;
}
/** The badge that was sent to a device, in answer to the update request number `asked`. */
export interface ShownBadge {
  tokenKey: number;
  badge: number;
  asked: number;
  /** Whether the badge must be sent again. */
  isOld?: boolean;
}

export const shownIn = statement<{ message_key: number }, [token: number, chat: number]>(
  'SELECT message_key FROM shown_pushes WHERE token_key = $1 AND chat_key = $2',
);
/** The current state of a message that a device shows, and the read marker of the device's account. */
export const shownMessage = statement<
  {
    chat_id: Uint8Array;
    chat_kind: ChatKind;
    id: Uint8Array;
    is_over: number;
    /** Null, like the following columns, if the account has left the conversation. */
    read_key: number | null;
    read_id: Uint8Array | null;
    is_muted: number | null;
    muted_until: number | null;
    channel_key: number;
  },
  [message: number, account: number]
>(
  `SELECT c.id AS chat_id, c.kind AS chat_kind, m.id, ${isOver} AS is_over, p.read_key, r.id AS read_id,
     p.is_muted, p.muted_until, m.channel_key
   FROM ${messageFor('$2')} JOIN chats c ON c.key = m.chat_key LEFT JOIN messages r ON r.key = p.read_key
   WHERE m.key = $1`,
);

// If the message was read or deleted after the push was sent, the row is due immediately.
export const putShown = statement<{ is_due: number }, [token: number, account: number, message: number]>(
  `INSERT INTO shown_pushes (token_key, chat_key, account_key, message_key, is_due)
   SELECT t.key, m.chat_key, t.account_key, m.key, ${isOver}
   FROM ${messageFor('$2')} JOIN push_tokens t ON t.key = $1 AND t.account_key = $2 WHERE m.key = $3
   ON CONFLICT (token_key, chat_key) DO UPDATE SET account_key = excluded.account_key,
     message_key = excluded.message_key, is_due = excluded.is_due
   RETURNING is_due`,
);
export const dropShown = statement<never, [token: number, chat: number]>(
  'DELETE FROM shown_pushes WHERE token_key = $1 AND chat_key = $2',
);
export const dropOldestShown = statement<never, [token: number]>(
  `DELETE FROM shown_pushes WHERE token_key = $1 AND message_key <=
     (SELECT message_key FROM shown_pushes WHERE token_key = $1 ORDER BY message_key DESC LIMIT 1 OFFSET ${MAX_SHOWN})`,
);
export const putBadge = statement<
  { account_key: number; is_asked: number },
  [token: number, badge: number, asked: number, more: number]
>(
  `UPDATE push_tokens SET badge = $2, badge_asked = badge_asked + $4,
     badge_answered = CASE WHEN badge_answered < $3 THEN $3 ELSE badge_answered END
   WHERE key = $1
   RETURNING account_key, CASE WHEN badge_asked > badge_answered THEN 1 ELSE 0 END AS is_asked`,
);

export const pushTokensOf = statement<{ key: number; is_own: number }, [account: number, session: number | null]>(
  `SELECT t.key, CASE WHEN s.key = $2 THEN 1 ELSE 0 END AS is_own
   FROM push_tokens t LEFT JOIN sessions s ON s.id = t.session_id WHERE t.account_key = $1`,
);
export const shownOn = statement<{ token_key: number; message_key: number }, [chat: number, account: number]>(
  `SELECT token_key, message_key FROM shown_pushes WHERE chat_key = $1 AND account_key = $2 AND token_key IN (:list)`,
);
export const markOver = statement<never, [chat: number, account: number]>(
  `UPDATE shown_pushes SET is_due = 1 WHERE chat_key = $1 AND account_key = $2 AND is_due = 0 AND ${isRowOver}`,
);
export const askBadges = statement<never>(
  'UPDATE push_tokens SET badge_asked = badge_asked + 1 WHERE badge > 0 AND key IN (:list)',
);
/** The data that decides whether a conversation counts for an account's badges; no row if it is muted. */
export const badgeRuleIn = statement<
  { kind: ChatKind; prefs: string | null },
  [chat: number, account: number, now: number]
>(
  `SELECT c.kind, n.prefs FROM chats c LEFT JOIN notification_prefs n ON n.account_key = $2
   WHERE c.key = $1 AND NOT EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = c.key AND p.account_key = $2
     AND p.is_muted = 1 AND (p.muted_until IS NULL OR p.muted_until > $3))`,
);
/** The notifications that a person closed on a device: all up to a message, or those of certain messages. */
export type Closed = { upTo: number } | { messageKeys: readonly number[] };
export const isClosed = (closed: Closed, messageKey: number): boolean =>
  'upTo' in closed ? messageKey <= closed.upTo : closed.messageKeys.includes(messageKey);

export const markGone = statement<{ account_key: number }>(
  'UPDATE shown_pushes SET is_due = 1 WHERE message_key IN (:list) RETURNING account_key',
);
export const markGoneIn = statement<{ account_key: number }, [chat: number]>(
  `UPDATE shown_pushes SET is_due = 1 WHERE chat_key = $1 AND is_due = 0 AND ${isRowOver} RETURNING account_key`,
);
/**
 * Maximum participants of a conversation in which a deletion updates badges; in larger ones the next push or read does.
 */
const MAX_BADGE_PARTICIPANTS = 1_000;
export const badgesIn = statement<
  { account_key: number; kind: ChatKind; prefs: string | null },
  [chat: number, newest: number, now: number]
>(
  `SELECT p.account_key, c.kind, n.prefs FROM chats c JOIN participants p ON p.chat_key = c.key
   LEFT JOIN notification_prefs n ON n.account_key = p.account_key
   WHERE c.key = $1 AND c.may_push = 1 AND c.participant_count <= ${MAX_BADGE_PARTICIPANTS} AND p.read_key < $2
     AND (p.is_muted = 0 OR p.muted_until <= $3)
     AND EXISTS (SELECT 1 FROM push_tokens t WHERE t.account_key = p.account_key AND t.badge > 0)`,
);
export const askBadgesOf = statement<{ account_key: number }>(
  `UPDATE push_tokens SET badge_asked = badge_asked + 1 WHERE badge > 0 AND account_key IN (:list)
   RETURNING account_key`,
);

/** A notification that must be taken back from a device, or a badge that must be sent (`chat_key` is 0). */
interface DueTakeBack {
  token_key: number;
  chat_key: number;
  platform: PushPlatform;
  address: string;
}
export const dueTakeBacks = statement<DueTakeBack, [account: number, limit: number]>(
  `SELECT s.token_key, s.chat_key, t.platform, t.address FROM shown_pushes s JOIN push_tokens t ON t.key = s.token_key
   WHERE s.account_key = $1 AND s.is_due = 1 ORDER BY s.token_key, s.chat_key LIMIT $2`,
);
/** Read after the take-backs, because a take-back also updates the badge. */
export const dueBadges = statement<DueTakeBack, [account: number]>(
  `SELECT key AS token_key, 0 AS chat_key, platform, address FROM push_tokens
   WHERE account_key = $1 AND badge_asked > badge_answered ORDER BY key`,
);
/** Those of the given accounts for which anything is due. */
export const accountsDueAmong = statement<{ account_key: number }>(
  `SELECT d.account_key FROM (SELECT account_key FROM shown_pushes WHERE is_due = 1
     UNION ALL SELECT account_key FROM push_tokens WHERE badge_asked > badge_answered) d
   WHERE d.account_key IN (:list)`,
);
/** Accounts whose take-backs the previous process has not sent. */
export const accountsWithDue = statement<{ account_key: number }, [after: number, limit: number]>(
  `SELECT account_key FROM shown_pushes WHERE is_due = 1 AND account_key > $1
   UNION SELECT account_key FROM push_tokens WHERE badge_asked > badge_answered AND account_key > $1
   ORDER BY account_key LIMIT $2`,
);

const forget = (which: string): string =>
  `DELETE FROM shown_pushes WHERE token_key IN (SELECT t.key FROM push_tokens t ${which})`;
/** Forgets what the devices of tokens show: runs before the tokens are deleted or given to another account. */
export const forgetShownOf = statement<never, [account: number]>(forget('WHERE t.account_key = $1'));
export const forgetShownAt = statement<never, [account: number, address: string]>(
  forget('WHERE t.address = $2 AND t.account_key = $1'),
);
export const forgetShownOfOthers = statement<never, [account: number, address: string, platform: PushPlatform]>(
  forget('WHERE t.address = $2 AND t.platform = $3 AND t.account_key <> $1'),
);
export const forgetShownOfDead = statement<never, [token: number, address: string, registeredAt: number]>(
  forget('WHERE t.key = $1 AND t.address = $2 AND t.registered_at = $3'),
);
export const forgetShownOfTokens = statement<never>('DELETE FROM shown_pushes WHERE token_key IN (:list)');
export const forgetShownOfSessions = statement<never>(
  forget('JOIN sessions s ON s.id = t.session_id WHERE s.key IN (:list)'),
);
export const forgetShownOfExpired = statement<never, [now: number]>(
  forget('WHERE t.session_id IN (SELECT id FROM sessions WHERE expires_at <= $1)'),
);
