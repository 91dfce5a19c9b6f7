import { randomBytes } from 'node:crypto';
import { tokenHash } from '../calls/authenticate.ts';

export interface NewToken {
  /** Sent once, in the reply; never stored. */
  token: string;
  hash: Uint8Array;
}

/** A token of 256 random bits; its prefix identifies its kind (AUTH-5). */
export function newToken(prefix: 's_' | 'mb_' | 'i_' | 'd_'): NewToken {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, hash: tokenHash(token) };
}
