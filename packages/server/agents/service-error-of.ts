import { forbidden, ServiceError, unavailable } from '../core/errors.ts';
import type { ProviderError } from './providers/provider.ts';

/** What a caller learns of a request that an agent's server did not answer. Texts of a ProviderError hold no key (PROVIDER-7). */
export function serviceErrorOf({ kind, message, retryAfterMs = 1_000 }: ProviderError): ServiceError {
  switch (kind) {
    case 'rate_limited':
      return new ServiceError('rate_limited', message, { retry_after: Math.max(1, Math.ceil(retryAfterMs / 1_000)) });
    case 'overloaded':
    case 'timeout':
    case 'interrupted':
    case 'protocol':
      return unavailable(message);
    default:
      return forbidden(message);
  }
}
