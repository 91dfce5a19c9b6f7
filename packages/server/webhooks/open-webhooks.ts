import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { EndpointRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { WebhookDeliveries, type WebhookNeeds } from './deliveries.ts';

type RoomsAbove = Pick<WebhookNeeds, 'random' | 'keys' | 'sign' | 'units' | 'isSure'> &
  WebhookNeeds['rooms'] & {
    config: { webhookEndpoints: EndpointRule };
    clock: Clock;
    logger: FaultLogger;
    disk: { readonly isFull: boolean };
  };

export function openWebhooks(above: RoomsAbove, opened: Closers) {
  const webhookReceivers = new GuardedFetch(above.config.webhookEndpoints);
  opened.defer(() => webhookReceivers.close());
  const webhooks = new WebhookDeliveries({
    ...above,
    rooms: above,
    fetch: webhookReceivers.fetch,
    isPaused: () => above.disk.isFull,
    onFault: logFaults(above.logger, 'failed to deliver to a webhook'),
  });
  opened.defer(() => webhooks.stop());
  return { webhookReceivers, webhooks };
}
