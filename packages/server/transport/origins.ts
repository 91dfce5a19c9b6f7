import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { calmWarnings } from '../service/calm-logger.ts';
import type { Clock } from '../core/clock.ts';
import { isLoopbackName } from '../rules/loopback.ts';
import type { Config } from '../service/config.ts';
import { forbidden } from '../core/errors.ts';

const hostName = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

const isDevTokenHost = ({ devTokenHosts }: Config, host: string): boolean =>
  isLoopbackName(hostName(host)) ||
  devTokenHosts.includes(hostName(host)) ||
  devTokenHosts.includes(host.toLowerCase());

/**
 * Whether a request names more than one host. Node takes the first of several `Host` headers, and a proxy may have taken
 * another (RFC 9112, section 3.2).
 */
export const hasSeveralHosts = ({ rawHeaders }: { rawHeaders: readonly string[] }): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;

const isProxyHeader = (name: string): boolean => name === 'forwarded' || name.startsWith('x-forwarded-');

/**
 * While development tokens are enabled, refuses two kinds of request (TRANS-8): those whose host is not allowed,
 * because a hostile page could have pointed a name at us (DNS rebinding), and those that could carry a token but came
 * through a proxy, which can rewrite the host.
 */
export function guardDevTokens(config: Config, headers: IncomingHttpHeaders, mayBearToken: boolean): void {
  if (!config.devTokens) return;
  if (headers.host === undefined || !isDevTokenHost(config, headers.host))
    throw forbidden(
      'with development tokens enabled, only loopback host names and those in DEV_TOKEN_HOSTS are served',
    );
  if (mayBearToken && Object.keys(headers).some(isProxyHeader))
    throw forbidden('development tokens are not served through a proxy: set DEV_TOKENS=0');
}

/** Logs refused origins with the variable that would allow them, at most one line in 10 s (TRANS-7). */
export function refusedOriginLogger(logger: Logger, clock: Pick<Clock, 'monotonic'>): (origin: string) => void {
  const warn = calmWarnings(logger, clock);
  return (origin) => warn({ origin: origin.slice(0, 200) }, 'refused an origin; add it to ALLOWED_ORIGINS to allow it');
}

/** Maximum number of refused origins that are remembered: anybody can make up more. */
const MAX_REMEMBERED = 100;

/**
 * Logs origins whose pages were refused the widget, with the variable that would allow them: each once, and when there
 * are too many to remember, at most one line in 10 s (WIDGET-3).
 */
export function refusedEmbedderLogger(logger: Logger, clock: Pick<Clock, 'monotonic'>): (origin: string) => void {
  const logged = new Set<string>();
  const warn = calmWarnings(logger, clock);
  const text = 'refused to show the widget on a page; add its origin to WIDGET_ORIGINS to allow it';
  return (origin) => {
    if (logged.has(origin) || !isOrigin(origin)) return;
    if (logged.size >= MAX_REMEMBERED) return warn({ origin }, text);
    logged.add(origin);
    logger.warn({ origin }, text);
  };
}

const LONGEST_ORIGIN = 200;
const isOrigin = (text: string): boolean =>
  text.length <= LONGEST_ORIGIN && URL.canParse(text) && new URL(text).origin === text;

/** Whether an origin is the page's own, that of PUBLIC_URL, or a configured one (TRANS-7). */
export function isAllowedOrigin(config: Config, origin: string, host: string | undefined): boolean {
  if (config.allowedOrigins.includes(origin) || config.publicUrl?.origin === origin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}

/** The default address of `npm start`. */
const USUAL = 'http://127.0.0.1:8080';

/** The service's address as the reader of a page sees it. Validated, because readers copy samples into a shell. */
export function originOf({ publicUrl }: Pick<Config, 'publicUrl'>, headers: IncomingHttpHeaders): string {
  if (publicUrl) return publicUrl.origin;
  const { host = '' } = headers;
  if (!/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i.test(host)) return USUAL;
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${host}`;
}
