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
  const { config, clock, random, logger, disk, keys, sign, units, isSure } = above;
  const webhookReceivers = new GuardedFetch(config.webhookEndpoints);
  opened.defer(() => webhookReceivers.close());
  const webhooks = new WebhookDeliveries({
    clock,
    random,
    rooms: above,
    keys,
    fetch: webhookReceivers.fetch,
    sign,
    units,
    isSure,
    isPaused: () => disk.isFull,
    onFault: logFaults(logger, 'failed to deliver to a webhook'),
  });
  opened.defer(() => webhooks.stop());
  return { webhookReceivers, webhooks };
}
