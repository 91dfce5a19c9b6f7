import { ApiError } from '@parley/client';
import { errorText, sentence } from './error-text.ts';
import { language } from './language.ts';
import { t } from './t.ts';

/** Words an error for the field it is about; null for other errors. */
export function fieldError(error: unknown): { field: string; text: string } | null {
  if (!(error instanceof ApiError)) return null;
  const { field } = error.parameters;
  if (typeof field !== 'string' || field === '' || field === 'body') return null;
  const said = error.description.startsWith(field) ? error.description.slice(field.length).replace(/^:?\s*/, '') : '';
  return { field, text: said === '' ? errorText(error) : plainly(said) };
}

function plainly(said: string): string {
  if (/^is longer than|^is too large/.test(said)) return t('This is too long.');
  if (said === 'is empty') return t('Fill this in.');
  // The rest of what the service says is English.
  if (language !== 'en') return t('This isn’t valid.');
  const isPredicate = /^(?:is|has|must|cannot|contains|names)\b/.test(said);
  return sentence(isPredicate ? ['this', said].join(' ') : said);
}
