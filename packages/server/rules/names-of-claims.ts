import { usernamePattern } from '@parley/protocol';
import { isKeptName } from './names-for-all.ts';
import { isReservedName } from './reserved-names.ts';

const LENGTH = 32;
const FALLBACK = 'person';
/** Numbers that are tried in their order before random ones: somebody with a common name does not wait for thousands. */
const IN_ORDER = 50;
const RANDOM_TRIES = 50;

/**
 * The usernames to try for a new account, in order: the preferred name or the local part of the address, made valid, and
 * then the same with numbers (OIDC-6).
 */
export function* usernamesFor(
  { preferred, email }: { preferred: string | null; email: string | null },
  random: () => number,
): Generator<string> {
  const base = [preferred, email].map((name) => plain(name?.split('@', 1)[0] ?? '')).find((name) => name !== '');
  const name = base === undefined || isReservedName(base) || isKeptName(base) ? FALLBACK : base;
  if (usernamePattern.test(name)) yield name;
  const numbered = (number: number): string => {
    const ending = String(number);
    return name.slice(0, LENGTH - ending.length) + ending;
  };
  for (let number = 2; number <= IN_ORDER; number += 1) yield numbered(number);
  for (let tries = 0; tries < RANDOM_TRIES; tries += 1) yield numbered(1_000 + Math.floor(random() * 999_000_000));
}

/** Letters without their accents, digits and `_`. */
const plain = (name: string): string =>
  name
    .slice(0, 256)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, LENGTH);
