import { ApiError } from '@parley/client';
import { errorText } from '../../words/error-text.ts';
import { t } from '../../words/t.ts';

/** Words a failed upload. Retrying does not help if the service refused the file itself. */
export function uploadFailure(error: unknown): { error: string; mayRetry: boolean } {
  if (!(error instanceof ApiError)) return { error: errorText(error), mayRetry: true };
  if (error.code !== 'too_large') return { error: errorText(error), mayRetry: error.status >= 500 };
  const most = Number(/(?<!\d)(\d+) bytes/.exec(error.description)?.[1] ?? 0);
  const text =
    most > 0
      ? t('Too large. Files can be up to {size, number} MB.', { size: Math.floor(most / 1_048_576) })
      : t('Too large to send.');
  return { error: text, mayRetry: false };
}
