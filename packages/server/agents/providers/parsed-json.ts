import { hasTooManyValues } from '../../rules/json-counter.ts';

/**
 * Parses JSON of a vendor; returns undefined if the text is not JSON, null because it was too long, or has more values
 * than any vendor sends, which would hold the service while they are read (PROVIDER-37).
 */
export function parsedJson(text: string | null): unknown {
  try {
    return text === null || hasTooManyValues(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
