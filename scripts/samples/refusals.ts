import type { Operation } from '@parley/protocol';
import { unknownId } from '@parley/testing';

export interface Refusal {
  /** Empty: no token is sent. */
  token: string;
  /** An object, or a raw body. */
  request: Readonly<Record<string, unknown>> | string;
  type?: string;
}

const isId = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

/** Variants of a valid call that should fail, each with a different error of the operation. */
export function refusalsOf(
  { policy: { open } }: Operation,
  request: Readonly<Record<string, unknown>>,
  { token, stranger }: { token: string; stranger: string },
): Refusal[] {
  const refusals: Refusal[] = [];
  const entries = Object.entries(request);
  if (!open) refusals.push({ token: '', request });
  const [first] = entries[0] ?? [];
  refusals.push(first === undefined ? { token, request: '[]' } : { token, request: { ...request, [first]: 5 } });
  const replaced = (change: (key: string, value: unknown) => unknown) =>
    Object.fromEntries(entries.map(([key, value]) => [key, change(key, value)]));
  if (entries.some(([, value]) => isId(value)))
    refusals.push({ token, request: replaced((_key, value) => (isId(value) ? unknownId : value)) });
  if (!open && entries.some(([key]) => key.endsWith('username')))
    refusals.push({ token, request: replaced((key, value) => (key.endsWith('username') ? 'nobody' : value)) });
  if (stranger !== '' && entries.some(([key, value]) => isId(value) || key.endsWith('username')))
    refusals.push({ token: stranger, request });
  return refusals;
}
