// The cookie that binds a sign-in at an issuer to the browser that began it (OIDC-3). It is the only cookie of the service.
import type { IncomingHttpHeaders } from 'node:http';
import { newToken } from '../secrets/tokens.ts';
import { originOf } from './origins.ts';

type Place = Parameters<typeof originOf>[0];

/** As long as a sign-in, and the exchange of its code. */
const MAX_AGE_S = 660;

const isSecure = (place: Place, headers: IncomingHttpHeaders): boolean => originOf(place, headers).startsWith('https:');

/** With https no other host of the domain can set it. */
const nameOf = (secure: boolean): string => (secure ? '__Host-parley_sign_in' : 'parley_sign_in');

/** What the browser has been given; undefined without it. */
export function browserOf(place: Place, headers: IncomingHttpHeaders): string | undefined {
  const name = `${nameOf(isSecure(place, headers))}=`;
  const found = headers.cookie?.split(/; */).find((pair) => pair.startsWith(name));
  const value = found?.slice(name.length);
  return value !== undefined && /^ob_[\w-]{43}$/.test(value) ? value : undefined;
}

/** A browser that begins several sign-ins keeps its value, so that each can be completed. */
export function cookieFor(place: Place, headers: IncomingHttpHeaders): { browser: string; cookie: string } {
  const secure = isSecure(place, headers);
  const browser = browserOf(place, headers) ?? newToken('ob_').token;
  const attributes = `Path=/; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return { browser, cookie: `${nameOf(secure)}=${browser}; ${attributes}` };
}
