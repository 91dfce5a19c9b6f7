// The records that need no other row.
import type {
  AccessToken,
  Folder,
  FolderRule,
  Invite,
  ServiceInvite,
  Session,
  Status,
  Webhook,
  WebhookSubscription,
} from '@parley/protocol';
import { idText } from '../core/ids.ts';
import { failureOf } from '../rules/webhook-failures.ts';
import type { AccessTokenRow } from '../store/access-tokens.ts';
import type { FolderRow } from '../store/chat-states.ts';
import type { InviteRow } from '../store/invites.ts';
import type { ServiceInviteRow } from '../store/service-invites.ts';
import type { SessionRow } from '../store/sessions.ts';
import type { StatusRow } from '../store/statuses.ts';
import type { SubscriptionRow } from '../store/webhook-subscriptions.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { accountRecord } from './accounts.ts';

export const folderRecord = ({ id, name, rule }: FolderRow): Folder => ({
  id: idText(id),
  name,
  // Written by setFolders.
  ...(rule !== null && { rule: JSON.parse(rule) as FolderRule }),
});

/** The wire Invite of a row, without the token. */
export const inviteRecord = (
  row: Pick<InviteRow, 'id' | 'max_uses' | 'uses' | 'created_at' | 'expires_at'> & { created_by: string },
): Omit<Invite, 'token' | 'url'> => ({
  id: idText(row.id),
  created_by: row.created_by,
  created_at: new Date(row.created_at).toISOString(),
  ...(row.expires_at !== null && { expires_at: new Date(row.expires_at).toISOString() }),
  ...(row.max_uses !== null && { max_uses: row.max_uses }),
  uses: row.uses,
});

export const serviceInviteRecord = (
  row: Omit<ServiceInviteRow, 'key' | 'creator_key'> & { created_by: string },
  chatIds: readonly string[],
): ServiceInvite => ({
  ...inviteRecord(row),
  role: row.role,
  approval: row.approval === 1,
  chat_ids: [...chatIds],
});

/** The wire Session of a row, for a caller whose own session is `currentKey`. */
export const sessionRecord = (row: SessionRow, currentKey: number | null): Session => ({
  id: idText(row.id),
  is_current: row.key === currentKey,
  ...(row.device_name !== null && { device_name: row.device_name }),
  ...(row.platform !== null && { platform: row.platform }),
  ...(row.app_version !== null && { app_version: row.app_version }),
  created_at: new Date(row.created_at).toISOString(),
  last_active_at: new Date(row.last_active_at).toISOString(),
});

/** The wire AccessToken of a row, without the token. */
export const accessTokenRecord = (row: Omit<AccessTokenRow, 'key' | 'account_key' | 'code'>): AccessToken => ({
  id: idText(row.id),
  name: row.name,
  scopes: row.scopes.split(' ') as AccessToken['scopes'], // as createAccessToken has stored them
  ...(row.chat_ids !== null && { chat_ids: JSON.parse(row.chat_ids) as string[] }),
  ...(row.client_id !== null && { client: row.client ?? 'localhost' }),
  created_at: new Date(row.created_at).toISOString(),
  ...(row.expires_at !== null && { expires_at: new Date(row.expires_at).toISOString() }),
  ...(row.last_used_at !== null && { last_used_at: new Date(row.last_used_at).toISOString() }),
});

/** The wire Status of a row. */
export const statusRecord = ({ emoji, text, ends_at }: StatusRow): Status => ({
  emoji: emoji ?? undefined,
  text: text ?? undefined,
  until: ends_at === null ? undefined : new Date(ends_at).toISOString(),
});

/** The wire WebhookSubscription of a row. */
export const subscriptionRecord = (row: SubscriptionRow): WebhookSubscription => ({
  id: idText(row.id),
  url: row.url,
  // Written by createWebhookSubscription.
  events: JSON.parse(row.events) as string[],
  ...(row.chat_id && { chat_id: idText(row.chat_id) }),
  seq: row.cursor,
  status: row.next_at === null ? 'disabled' : row.failing_since === null ? 'active' : 'failing',
  ...(row.failure !== null && { failure: row.failure, failure_cause: failureOf(row.failure) }),
  ...(row.failing_since !== null && { failing_since: new Date(row.failing_since).toISOString() }),
  created_at: new Date(row.created_at).toISOString(),
});

/** The wire Webhook of a row. */
export const webhookRecord = (row: WebhookRow): Webhook => ({
  id: idText(row.webhook_id),
  chat_id: idText(row.chat_id),
  channel_id: row.channel_id && idText(row.channel_id),
  account: accountRecord(row),
  created_at: new Date(row.webhook_created_at).toISOString(),
});
