// Incoming webhooks: secret addresses whose posts become messages.
import createWebhook from './createWebhook.ts';
import deleteWebhook from './deleteWebhook.ts';
import getWebhooks from './getWebhooks.ts';

export const webhookHandlers = { createWebhook, deleteWebhook, getWebhooks };
