// How the app words what it shows: names, times, sizes, errors. Imports from no other folder.
import { ApiError } from '@parley/client';
import { t } from './t.ts';

/** Words a failed call for the user. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('Can’t reach the service. Check your connection and try again.');
  switch (error.code) {
    case 'rate_limited': {
      const seconds = Number(error.parameters['retry_after'] ?? 0);
      return seconds > 0
        ? t('Too many attempts. Try again in {seconds} s.', { seconds })
        : t('Too many attempts. Wait a moment and try again.');
    }
    case 'unavailable':
      return t('The service is busy or restarting. Try again in a moment.');
    case 'internal':
      return t('Something went wrong. Try again.');
    case 'unauthenticated':
      return t('You’ve been signed out. Sign in again.');
    default:
      return sentence(error.description);
  }
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
