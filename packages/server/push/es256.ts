import { hasCome } from '@parley/protocol/dates';
import { type KeyObject, sign } from 'node:crypto';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token signed with a P-256 key, as VAPID and APNs require. */
/** A signed token with the date of its signature and that from which on a new one is signed. */
export interface DatedToken {
  readonly text: string;
  readonly madeAt: number;
  readonly freshUntil: number;
}

/** Whether a token may still be used. One that was signed at a date yet to come is not: the clock was set back since. */
export const isFresh = ({ madeAt, freshUntil }: DatedToken, now: number): boolean =>
  hasCome(madeAt, now) && !hasCome(freshUntil, now);

export function signToken(key: KeyObject, header: object, claims: object): string {
  const signed = `${encode({ ...header, alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
