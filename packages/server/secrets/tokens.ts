import { hash, randomBytes } from 'node:crypto';

export interface NewToken {
  /** Sent once, in the reply; never stored. */
  token: string;
  hash: Uint8Array;
}

/** The hash of a token, which is stored instead of the token. */
export const tokenHash = (token: string): Uint8Array => hash('sha256', token, 'buffer');

/** A token of 256 random bits; its prefix identifies its kind (AUTH-5). */
export function newToken(
  prefix: 's_' | 'mb_' | 'i_' | 'v_' | 'p_' | 'd_' | 'bk_' | 'wh_' | 'at_' | 'oc_' | 'ob_' | 'pg_',
): NewToken {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, hash: tokenHash(token) };
}
