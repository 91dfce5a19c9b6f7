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
