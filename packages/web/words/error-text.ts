// How the app words what it shows: names, times, sizes, errors. Imports from no other folder.
import { ApiError } from '@parley/client';
import type { ErrorCode } from '@parley/protocol';
import { duration } from './duration.ts';
import { language } from './language.ts';
import { t } from './t.ts';

/** Words a failed call for the user. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('Can’t reach the service. Check your connection and try again.');
  switch (error.code) {
    case 'rate_limited': {
      const seconds = Number(error.parameters['retry_after'] ?? 0);
      return seconds > 0
        ? t('Too many attempts. Try again in {duration}.', { duration: duration(seconds * 1_000) })
        : t('Too many attempts. Wait a moment and try again.');
    }
    case 'unavailable':
      return t('The service is busy or restarting. Try again in a moment.');
    case 'internal':
      return t('Something went wrong. Try again.');
    case 'unauthenticated':
      return t('You’ve been signed out. Sign in again.');
    default:
      return refusalText(error.code, error.description);
  }
}

/** The service explains refusals in English only: in other languages the app says what the code means. */
export const refusalText = (code: ErrorCode, description: string): string =>
  language === 'en' ? sentence(description) : byCode(code);

function byCode(code: ErrorCode): string {
  switch (code) {
    case 'invalid_argument':
      return t('Something you entered isn’t valid. Check it and try again.');
    case 'forbidden':
      return t('You’re not allowed to do this.');
    case 'not_found':
      return t('This wasn’t found. It may have been deleted, or you can’t see it.');
    case 'conflict':
      return t('This isn’t possible as things are now. Reload the page and try again.');
    case 'too_large':
      return t('This is too large.');
    case 'unsupported_media_type':
      return t('This kind of file can’t be used here.');
    default:
      return t('Something went wrong. Try again.');
  }
}

/** A text of the service as a sentence. */
export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
