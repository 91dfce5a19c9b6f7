import { ApiError } from '@parley/client';
import { errorText } from '../../words/error-text.ts';

/** A refusal of the file itself is one again with the next try. */
export function uploadFailure(error: unknown): { error: string; mayRetry: boolean } {
  if (!(error instanceof ApiError)) return { error: errorText(error), mayRetry: true };
  if (error.code !== 'too_large') return { error: errorText(error), mayRetry: error.status >= 500 };
  const most = Number(/(\d+) bytes/.exec(error.description)?.[1] ?? 0);
  const text =
    most > 0 ? `Too large. At most ${Math.floor(most / 1_048_576)} MB can be sent.` : 'Too large to be sent.';
  return { error: text, mayRetry: false };
}
