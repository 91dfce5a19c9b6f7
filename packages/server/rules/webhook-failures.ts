// Why a receiver has not accepted events: a text, which is stored, and the same as data, which is read from it.
import type { WebhookFailure } from '@parley/protocol';

const UNREACHABLE = 'it could not be reached';
const NO_SECRET = 'the key that encrypted its secret is missing';
const REFUSED = 'it must have ';
const STATUS = 'it answered with status ';
const SILENT = 'it did not answer within ';

/** `unlike`: what the address lacks, in the words of EndpointRefused. */
export type DeliveryFailure =
  | Exclude<WebhookFailure, { kind: 'refused' }>
  | (Extract<WebhookFailure, { kind: 'refused' }> & { unlike: string });

export function failureText(failure: DeliveryFailure): string {
  switch (failure.kind) {
    case 'status':
      return `${STATUS}${failure.status}`;
    case 'timeout':
      return `${SILENT}${failure.seconds} seconds`;
    case 'refused':
      return `it ${failure.unlike}`;
    case 'no_secret':
      return NO_SECRET;
    case 'unreachable':
      return UNREACHABLE;
    default:
      return failure satisfies never;
  }
}

/** Undefined for a text that this version does not write. */
export function failureOf(text: string): WebhookFailure | undefined {
  if (text.startsWith(STATUS)) return { kind: 'status', status: Number.parseInt(text.slice(STATUS.length), 10) };
  if (text.startsWith(SILENT)) return { kind: 'timeout', seconds: Number.parseInt(text.slice(SILENT.length), 10) };
  if (text.startsWith(REFUSED)) return { kind: 'refused' };
  if (text === NO_SECRET) return { kind: 'no_secret' };
  return text === UNREACHABLE ? { kind: 'unreachable' } : undefined;
}
