import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { EndpointRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { type FetchedKeys, PublishedKeys } from './published-keys.ts';

interface RoomsAbove {
  config: { jwksEndpoints: EndpointRule };
  clock: Clock;
  logger: FaultLogger & { warn(facts: object, message: string): void };
  units: { keepBackendKeys: (keys: FetchedKeys) => Promise<unknown> };
}

export function openPublishedKeys({ config, clock, logger, units }: RoomsAbove, opened: Closers): PublishedKeys {
  const keyServers = new GuardedFetch(config.jwksEndpoints);
  opened.defer(() => keyServers.close());
  const publishedKeys = new PublishedKeys({
    clock,
    fetch: keyServers.fetch,
    keep: (fetched) => units.keepBackendKeys(fetched),
    onNoKeys: (backend, reason) =>
      logger.warn({ backend, reason }, 'failed to fetch the public keys of a backend; the known ones stay valid'),
    onFault: logFaults(logger, 'failed to store the public keys of a backend'),
  });
  opened.defer(() => publishedKeys.stop());
  return publishedKeys;
}
