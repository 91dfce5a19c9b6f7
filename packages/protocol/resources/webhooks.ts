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

/** Why an address has not accepted events, as data: a client words it in its reader's language. */
export const WebhookFailure = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('status').describe('it answered with another status than 2xx'),
    status: z.int().describe('the status of its answer'),
  }),
  z.object({
    kind: z.literal('timeout').describe('it did not answer in time'),
    seconds: z.int().describe('how long the service waited'),
  }),
  z.object({ kind: z.literal('unreachable').describe('no connection, or none that lasted') }),
  z.object({ kind: z.literal('refused').describe('the operator allows no requests to this address any more') }),
  z.object({ kind: z.literal('no_secret').describe('the service has lost the key that encrypted the secret') }),
]);

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
  failure_cause: WebhookFailure.optional().meta({ description: 'the same as data' }),
  failing_since: isoTime().optional().describe('when the first of the failing attempts was made'),
  created_at: isoTime(),
});

export type Webhook = z.output<typeof Webhook>;
export type WebhookFailure = z.output<typeof WebhookFailure>;
export type WebhookSubscription = z.output<typeof WebhookSubscription>;
