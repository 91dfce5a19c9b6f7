import type { WebhookFailure } from '@parley/protocol';
import { t } from './t.ts';

/** Why an address has not accepted events, in the app's words; the service's text if this build does not know the cause. */
export function webhookFailure(cause: WebhookFailure | undefined, text: string): string {
  switch (cause?.kind) {
    case 'status':
      return t('Its answer had the status {status}.', { status: String(cause.status) });
    case 'timeout':
      return t('No answer within {count, plural, one {# second} other {# seconds}}.', { count: cause.seconds });
    case 'unreachable':
      return t('It couldn’t be reached.');
    case 'refused':
      return t('Its address isn’t allowed here.');
    case 'no_secret':
      return t('The service can no longer read its secret. Delete the address and add it again.');
    default:
      return text;
  }
}
