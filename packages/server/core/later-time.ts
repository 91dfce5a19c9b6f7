import { invalid } from './errors.ts';

const MAX_AHEAD_MS = 366 * 86_400_000;

/** The moment that a field names; 400 if it is not in the future or more than a year ahead. */
export function requireLater(now: number, field: string, time: string): number {
  const at = Date.parse(time);
  if (at <= now) throw invalid(field, 'must be in the future');
  if (at > now + MAX_AHEAD_MS) throw invalid(field, 'must be within a year');
  return at;
}
