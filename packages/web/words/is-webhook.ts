import type { Account, Participant } from '@parley/protocol';

/** Whether messages of this account come from another program, through a secret address (WEBHOOK-3). */
export const isWebhook = ({ agent_provider }: Pick<Account, 'agent_provider'>): boolean => agent_provider === 'webhook';

/** The same for a participant, of which only the username is known: the service chooses those of webhooks. */
export const isWebhookName = (username: string): boolean => /:webhook_[\da-f]{12}$/.test(username);

/** Whether a participant is an agent that one can ask: webhooks are of kind agent too, but only send. */
export const isAgent = ({ kind, username }: Pick<Participant, 'kind' | 'username'>): boolean =>
  kind === 'agent' && !isWebhookName(username);
