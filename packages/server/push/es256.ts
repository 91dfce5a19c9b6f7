import { type KeyObject, sign } from 'node:crypto';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token signed with a P-256 key, as VAPID and APNs require. */
export function signToken(key: KeyObject, header: object, claims: object): string {
  const signed = `${encode({ ...header, alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
