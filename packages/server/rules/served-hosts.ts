import { isLoopbackName } from './loopback.ts';

/** The addresses of the service, by which a program may name it. */
export interface Served {
  readonly publicUrl: URL | null;
  readonly allowedOrigins: readonly string[];
  readonly devTokenHosts: readonly string[];
}

/** Whether an address is of this service. Without PUBLIC_URL it is known by no name. */
export function isOurs(config: Served, address: string, paths: readonly string[]): boolean {
  const url = URL.parse(address);
  if (!url || url.search !== '' || url.hash !== '' || !paths.includes(url.pathname)) return false;
  return isServedHost(config, url.host);
}

/** Of IPv4, or of IPv6 in its brackets: no name has this form. */
const isAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;

/** Whether requests may name this host: a hostile page could have pointed its own name here (DNS rebinding). */
export function isServedHost({ publicUrl, allowedOrigins, devTokenHosts }: Served, host: string): boolean {
  const name = host.toLowerCase();
  const bare = name.replace(/:\d+$/, '');
  const ours = [publicUrl?.host, ...allowedOrigins.map((origin) => URL.parse(origin)?.host)];
  if (isLoopbackName(bare) || ours.includes(name) || devTokenHosts.includes(bare)) return true;
  // An address cannot be pointed elsewhere.
  return !publicUrl && isAddress.test(bare);
}
