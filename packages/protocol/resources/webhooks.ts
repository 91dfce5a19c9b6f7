// Webhooks in and out.
import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { Account } from './accounts.ts';

/** A secret address whose posts become messages of an account of its own. */
export const Webhook = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  account: Account.meta({ description: 'the sender of its messages; `agent_provider` is `webhook`' }),
  created_at: isoTime(),
});

/** Where the service sends events of an account, each signed and in order, as they happen. */
export const WebhookSubscription = z.object({
  id: z.uuid(),
  url: z.string().describe('where the events are sent'),
  events: z.array(z.string()).meta({ description: 'names without `events.`' }),
  chat_id: z.uuid().optional().meta({ description: 'only events of this conversation' }),
  seq: z.int().meta({ description: 'the receiver has answered all events up to this number' }),
  status: z
    .enum(['active', 'failing', 'disabled'])
    .meta({ description: 'failing: the last attempt was not answered with 2xx, and another follows' }),
  failure: z.string().optional().meta({ description: 'why the last attempt failed' }),
  failing_since: isoTime().optional().describe('when the first of the failing attempts was made'),
  created_at: isoTime(),
});

export type Webhook = z.output<typeof Webhook>;
export type WebhookSubscription = z.output<typeof WebhookSubscription>;
