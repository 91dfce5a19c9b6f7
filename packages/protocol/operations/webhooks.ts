import { z } from 'zod';
import { webhookEvents } from '../events.ts';
import { askedPassword, label, name, optional, uuid, webhookSecret } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Webhook, WebhookSubscription } from '../resources.ts';

export const webhookOperations = {
  createWebhook: operation({
    summary:
      'Creates a secret address, `POST /hooks/<secret>`, whose posts become messages in a group, in `#all` or in a channel. Owner or admin only. They are sent by an account of the webhook, which joins the group. `url` is returned only here.',
    policy: { scope: null, rate: 'uploads' },
    input: z.object({
      chat_id: uuid(),
      channel_id: optional(uuid()),
      display_name: optional(name(limits.nameBytes)).meta({ description: '`Webhook` by default' }),
      avatar_file_id: optional(uuid()).meta({ description: 'a photo that the caller has uploaded' }),
    }),
    result: Webhook.extend({
      url: z.string().meta({ description: 'only a path if the service does not know its own address' }),
    }),
    errors: ['not_found', 'forbidden'],
  }),
  getWebhooks: operation({
    summary: 'The webhooks of a group, newest first, without their addresses. Owner or admin only.',
    policy: { scope: null, rate: 'none', guests: true },
    input: z.object({ chat_id: uuid() }),
    result: z.object({ items: z.array(Webhook) }),
    errors: ['not_found', 'forbidden'],
  }),
  deleteWebhook: operation({
    summary:
      'Ends a webhook: its address is unknown from now on and its account leaves the group. Its messages stay. Owner or admin of its group only; everyone else gets 404.',
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ webhook_id: uuid().describe('the `id` of the webhook') }),
    result: null,
    errors: ['not_found'],
  }),
  createWebhookSubscription: operation({
    summary:
      'Has the service send events that the caller may see to `url`, from now on, in order, until it answers with 2xx. Each request is signed with `secret`, as Standard Webhooks defines; it is returned only here.',
    policy: { scope: null, rate: 'writes' },
    input: z.object({
      url: label(limits.webhookUrlBytes).describe('where to send the events; https, unless the operator allows more'),
      events: z
        .array(z.enum(webhookEvents))
        .min(1)
        .max(webhookEvents.length)
        .describe('the events to send, by their names without `events.`'),
      chat_id: optional(uuid()).meta({ description: 'only events of this conversation' }),
      secret: optional(webhookSecret()).describe('what signs the requests; by default a new one'),
      password: askedPassword(),
    }),
    result: WebhookSubscription.extend({ secret: z.string().describe('what signs the requests') }),
    errors: ['not_found', 'forbidden'],
  }),
  getWebhookSubscriptions: operation({
    summary: "The caller's subscriptions, newest first, without their secrets.",
    policy: { scope: null, rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({ items: z.array(WebhookSubscription) }),
    errors: [],
  }),
  deleteWebhookSubscription: operation({
    summary: 'Ends a subscription of the caller.',
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ subscription_id: uuid() }),
    result: null,
    errors: ['not_found'],
  }),
  replayWebhook: operation({
    summary:
      'Has a subscription of the caller begin again after event `from_seq`, also if it was disabled. Events that the log no longer has are not sent.',
    policy: { scope: null, rate: 'writes' },
    input: z.object({
      subscription_id: uuid(),
      from_seq: z
        .number()
        .int()
        .min(0)
        .max(Number.MAX_SAFE_INTEGER)
        .describe('the `seq` of the last event that is not sent again'),
    }),
    result: WebhookSubscription,
    errors: ['not_found'],
  }),
} as const;
