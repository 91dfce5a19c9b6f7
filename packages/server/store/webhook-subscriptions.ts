// Where the service sends events of accounts (WEBHOOK-20 …).
import { statement } from './sql.ts';

export interface SubscriptionRow {
  key: number;
  id: Uint8Array;
  account_key: number;
  /** 0 for all conversations. */
  chat_key: number;
  chat_id: Uint8Array | null;
  url: string;
  /** JSON: names without `events.`. */
  events: string;
  sealed: string;
  /** The receiver has answered all events up to this number. */
  cursor: number;
  /** Failed attempts since the last success. */
  attempts: number;
  failing_since: number | null;
  failure: string | null;
  /** The date of the next attempt after a failure, otherwise 0. Null if it is disabled. */
  next_at: number | null;
  created_at: number;
}

/** A subscription whose account is in use, with the account whose quotas apply. */
export type DueSubscription = SubscriptionRow & { owner_key: number };

const columns = `s.key, s.id, s.account_key, s.chat_key, c.id AS chat_id, s.url, s.events, s.sealed, s.cursor, s.attempts,
  s.failing_since, s.failure, s.next_at, s.created_at`;
const from = `${columns} FROM webhook_subscriptions s LEFT JOIN chats c ON c.key = s.chat_key`;

export const insertSubscription = statement<
  { key: number },
  [
    id: Uint8Array,
    account: number,
    chat: number,
    url: string,
    events: string,
    sealed: string,
    cursor: number,
    now: number,
  ]
>(
  `INSERT INTO webhook_subscriptions (id, account_key, chat_key, url, events, sealed, cursor, next_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8) RETURNING key`,
);
export const subscriptionById = statement<SubscriptionRow, [id: Uint8Array, account: number]>(
  `SELECT ${from} WHERE s.id = $1 AND s.account_key = $2`,
);
export const subscriptionByKey = statement<SubscriptionRow, [key: number]>(`SELECT ${from} WHERE s.key = $1`);
/** Newest first. */
export const subscriptionsOf = statement<SubscriptionRow, [account: number]>(
  `SELECT ${from} WHERE s.account_key = $1 ORDER BY s.key DESC`,
);
export const deleteSubscription = statement<never, [id: Uint8Array, account: number]>(
  'DELETE FROM webhook_subscriptions WHERE id = $1 AND account_key = $2',
);
export const deleteSubscriptionsOf = statement<never, [account: number]>(
  'DELETE FROM webhook_subscriptions WHERE account_key = $1',
);
/** A page of the subscriptions that are not disabled, by key. */
export const enabledSubscriptions = statement<DueSubscription, [after: number, limit: number]>(
  `SELECT ${columns}, coalesce(a.parent_key, a.key) AS owner_key
   FROM webhook_subscriptions s JOIN accounts a ON a.key = s.account_key LEFT JOIN accounts o ON o.key = a.parent_key
   LEFT JOIN chats c ON c.key = s.chat_key
   WHERE s.next_at IS NOT NULL AND s.key > $1 AND a.disabled_at IS NULL AND o.disabled_at IS NULL ORDER BY s.key LIMIT $2`,
);
/** Moves the cursor, unless a replay has moved it meanwhile. */
export const moveCursor = statement<never, [key: number, from: number, to: number]>(
  `UPDATE webhook_subscriptions SET cursor = $3, attempts = 0, failing_since = NULL, failure = NULL, next_at = 0
   WHERE key = $1 AND cursor = $2 AND next_at IS NOT NULL`,
);
export const noteFailure = statement<
  never,
  [key: number, cursor: number, attempts: number, failingSince: number, failure: string, nextAt: number | null]
>(
  `UPDATE webhook_subscriptions SET attempts = $3, failing_since = $4, failure = $5, next_at = $6
   WHERE key = $1 AND cursor = $2 AND next_at IS NOT NULL`,
);
export const replayFrom = statement<never, [key: number, cursor: number]>(
  `UPDATE webhook_subscriptions SET cursor = $2, attempts = 0, failing_since = NULL, failure = NULL, next_at = 0
   WHERE key = $1`,
);

/** A page of all secrets, after a key. */
export const sealedSubscriptions = statement<
  { key: number; id: Uint8Array; sealed: string },
  [after: number, limit: number]
>('SELECT key, id, sealed FROM webhook_subscriptions WHERE key > $1 ORDER BY key LIMIT $2');
export const resealSubscription = statement<never, [key: number, former: string, sealed: string]>(
  'UPDATE webhook_subscriptions SET sealed = $3 WHERE key = $1 AND sealed = $2',
);
