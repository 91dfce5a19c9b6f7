// Incoming webhooks: secret addresses whose posts become messages (WEBHOOK-1 …).
import { type AccountRow, accountColumns } from './accounts.ts';
import { statement } from './sql.ts';

/** A webhook with its account. */
export interface WebhookRow extends AccountRow {
  webhook_id: Uint8Array;
  chat_id: Uint8Array;
  channel_id: Uint8Array | null;
  webhook_created_at: number;
}

const from = `w.id AS webhook_id, c.id AS chat_id, ch.id AS channel_id, w.created_at AS webhook_created_at,
  ${accountColumns} JOIN webhooks w ON w.account_key = a.key JOIN chats c ON c.key = w.chat_key
  LEFT JOIN channels ch ON ch.key = w.channel_key`;

export const insertWebhook = statement<
  never,
  [account: number, id: Uint8Array, chat: number, channel: number, tokenHash: Uint8Array, now: number]
>(
  `INSERT INTO webhooks (account_key, id, chat_key, channel_key, token_hash, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
export const webhookByToken = statement<WebhookRow, [tokenHash: Uint8Array]>(`SELECT ${from} WHERE w.token_hash = $1`);
/** The webhook of an account. */
export const webhookOf = statement<WebhookRow, [account: number]>(`SELECT ${from} WHERE w.account_key = $1`);
/** Newest first. */
export const webhooksIn = statement<WebhookRow, [chat: number]>(
  `SELECT ${from} WHERE w.chat_key = $1 ORDER BY w.account_key DESC`,
);
/** The webhooks of a person in all groups. */
export const webhooksOf = statement<WebhookRow, [person: number]>(
  `SELECT ${from} WHERE a.parent_key = $1 ORDER BY w.account_key`,
);
/** The accounts of the webhooks that a person has made in a group. */
export const webhooksBy = statement<{ account_key: number }, [chat: number, person: number]>(
  `SELECT w.account_key FROM webhooks w JOIN accounts a ON a.key = w.account_key
   WHERE w.chat_key = $1 AND a.parent_key = $2 ORDER BY w.account_key`,
);
export const webhooksOfChannel = statement<{ account_key: number }, [channel: number]>(
  'SELECT account_key FROM webhooks WHERE channel_key = $1',
);
/** The webhook with this id, if the account manages its group. */
export const managedWebhook = statement<{ account_key: number }, [id: Uint8Array, account: number]>(
  `SELECT w.account_key FROM webhooks w JOIN participants p ON p.chat_key = w.chat_key AND p.account_key = $2
   WHERE w.id = $1 AND p.role IN ('owner', 'admin')`,
);
export const deleteWebhookOf = statement<never, [account: number]>('DELETE FROM webhooks WHERE account_key = $1');
