import { invalid } from '../core/errors.ts';

/** Trims a provider's key that a caller entered in `field`; refuses control characters (KEY-6). */
export function cleanApiKey(given: string, field: string): string {
  const key = given.trim();
  // A line end inside the key would make the HTTP client throw an error that quotes the key.
  if (/\p{Cc}/u.test(key)) throw invalid(field, 'has control characters');
  return key;
}
