import { ApiError } from '@parley/client';

/** What to tell somebody when a call has failed. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The service cannot be reached. Check the connection and try again.';
  switch (error.code) {
    case 'rate_limited': {
      const seconds = Number(error.parameters['retry_after'] ?? 0);
      return seconds > 0 ? `Too many tries. Try again in ${seconds} s.` : 'Too many tries. Wait a little.';
    }
    case 'unavailable':
      return 'The service is busy or restarting. Try again in a moment.';
    case 'internal':
      return 'Something went wrong on the service. Try again.';
    case 'unauthenticated':
      return 'You are not signed in any more.';
    default:
      return sentence(error.description);
  }
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
