import { z } from 'zod';
import { name, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Webhook } from '../resources.ts';

export const webhookOperations = {
  createWebhook: operation({
    summary:
      'Creates a secret address, `POST /hooks/<secret>`, whose posts become messages in a group, in `#all` or in a channel. Owner or admin only. They are sent by an account of the webhook, which joins the group. `url` is returned only here.',
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
    input: z.object({ chat_id: uuid() }),
    result: z.object({ items: z.array(Webhook) }),
    errors: ['not_found', 'forbidden'],
  }),
  deleteWebhook: operation({
    summary:
      'Ends a webhook: its address is unknown from now on and its account leaves the group. Its messages stay. Owner or admin of its group only; everyone else gets 404.',
    input: z.object({ webhook_id: uuid() }),
    result: null,
    errors: ['not_found'],
  }),
} as const;
