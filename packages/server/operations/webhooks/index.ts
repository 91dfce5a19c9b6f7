// Webhooks: secret addresses whose posts become messages, and addresses to which the service sends events.
import createWebhook from './createWebhook.ts';
import createWebhookSubscription from './createWebhookSubscription.ts';
import deleteWebhook from './deleteWebhook.ts';
import deleteWebhookSubscription from './deleteWebhookSubscription.ts';
import getWebhooks from './getWebhooks.ts';
import getWebhookSubscriptions from './getWebhookSubscriptions.ts';
import replayWebhook from './replayWebhook.ts';

export const webhookHandlers = {
  createWebhook,
  createWebhookSubscription,
  deleteWebhook,
  deleteWebhookSubscription,
  getWebhooks,
  getWebhookSubscriptions,
  replayWebhook,
};
