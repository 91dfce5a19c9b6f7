// Where a program may be sent back to (MCPS-11).
import { isLoopbackName } from '../../rules/loopback.ts';

/** Maximum length of one address. */
export const MAX_REDIRECT = 512;

/** Schemes that a browser runs, shows or opens by itself, instead of passing the address to an installed program. */
const browsers =
  /^(?:javascript|data|vbscript|file|blob|filesystem|about|view-source|wss?|ftp|intent|mailto|tel|sms):$/;

/**
 * Whether a program may name this address: https, http on this computer (RFC 8252), or the scheme of an installed program.
 * Without a fragment, and without a user before the host, which people would take for the host.
 */
export function isRedirect(address: string): boolean {
  if (address.length > MAX_REDIRECT || /[\s\\#\p{C}]/u.test(address)) return false;
  const url = URL.parse(address);
  if (!url || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return isLoopbackName(url.hostname);
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]/.test(address) && !browsers.test(url.protocol);
}

/** Whether one of the program's addresses is meant: exactly, but for the port on this computer, which differs each time. */
export function isAmong(addresses: readonly string[], given: string): boolean {
  return isRedirect(given) && addresses.some((one) => one === given || isSameButPort(one, given));
}

function isSameButPort(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  if (a?.protocol !== 'http:' || b?.protocol !== 'http:' || !isLoopbackName(a.hostname)) return false;
  [a.port, b.port] = ['', ''];
  return a.href === b.href;
}

/** What a person reads of an address: its host, or the scheme of the installed program; null for this computer. */
export function placeOf(address: string): string | null {
  const url = new URL(address);
  if (url.protocol === 'https:') return url.host;
  return url.protocol === 'http:' ? null : `${url.protocol}//`;
}

/** The host of a program whose id is an address. */
export const hostIfAddress = (id: string): string | undefined =>
  /^https?:/i.test(id) ? (URL.parse(id)?.host ?? undefined) : undefined;
