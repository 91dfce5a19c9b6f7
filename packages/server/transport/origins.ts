import type { IncomingHttpHeaders } from 'node:http';
import { type Config, isLoopbackName } from '../config.ts';

const hostName = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** With development tokens on, only a loopback name may be asked for: no foreign page gets in by DNS (TRANS-8). */
export const isAllowedHost = (config: Config, host: string | undefined): boolean =>
  !config.devTokens || (host !== undefined && isLoopbackName(hostName(host)));

/** The page's own origin, the public URL's, or a configured one (TRANS-7). */
export function isAllowedOrigin(config: Config, origin: string, host: string | undefined): boolean {
  if (config.allowedOrigins.includes(origin) || config.publicUrl?.origin === origin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}

/** Where `npm start` serves. */
const USUAL = 'http://127.0.0.1:8080';

/** The address at which somebody reads a page of ours, to be shown to them; it goes into lines that they copy. */
export function originOf({ publicUrl }: Pick<Config, 'publicUrl'>, headers: IncomingHttpHeaders): string {
  if (publicUrl) return publicUrl.origin;
  const { host = '' } = headers;
  if (!/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i.test(host)) return USUAL;
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${host}`;
}
