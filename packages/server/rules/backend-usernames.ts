import { isReservedName, RESERVED_WORD } from './reserved-names.ts';

/** Maximum length of a username. */
const MAX_LENGTH = 32;
const SUFFIX_LENGTH = 9;

/**
 * The username that a backend's user gets, from its id there (TOKEN-3): readable, and without what follows an `@`, so
 * that an address of e-mail is not published. With a suffix if the name is taken.
 */
export function backendUsername(externalId: string, suffix?: string): string {
  const [local = ''] = externalId.split('@', 1);
  const plain = local
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  const name = plain === '' || plain.includes(RESERVED_WORD) || isReservedName(plain) ? 'user' : plain;
  return suffix === undefined ? name.slice(0, MAX_LENGTH) : `${name.slice(0, MAX_LENGTH - SUFFIX_LENGTH)}_${suffix}`;
}
