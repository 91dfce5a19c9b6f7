import { invalid } from '../core/errors.ts';

/** A provider's key, without what was copied around it: `field` is where it was given (KEY-6). */
export function cleanApiKey(given: string, field: string): string {
  const key = given.trim();
  // Within it a line end would end up in an error of the HTTP client, with the key.
  if (/\p{Cc}/u.test(key)) throw invalid(field, 'has control characters');
  return key;
}
