// outbound/: connections to addresses that clients choose. Imports core.
import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { invalid } from '../core/errors.ts';
import { isPublicAddress } from './public-address.ts';

/** Resolves a name to all its addresses. Rejects with NoSuchName if DNS says it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export class NoSuchName extends Error {}
/** The endpoint must not be connected to; its message says why. */
export class EndpointRefused extends Error {}

const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;

/**
 * Prevents clients, who choose the endpoints of pushes and agents, from aiming requests at our own network. The URL is
 * checked when it is stored and at every request. Names are resolved at each connect, and only to addresses that were
 * checked (NOTIF-6, PUSH-17, CUSTOM-8).
 */
export class EndpointGuard {
  readonly #allowPrivate: boolean;
  readonly #resolve: Resolve;

  constructor({ allowPrivate, resolve }: { allowPrivate: boolean; resolve?: Resolve }) {
    this.#allowPrivate = allowPrivate;
    this.#resolve = resolve ?? (allowPrivate ? resolveAsSystem : resolveByDns());
  }

  /** Before `field` is stored: throws invalid_argument if the URL rules the endpoint out; makes no DNS query (NOTIF-6). */
  admit(endpoint: string, field: string): void {
    admitted(field, () => this.check(new URL(endpoint)));
  }

  /** Checks the URL; throws EndpointRefused. IP addresses are checked here, because they are never looked up. */
  check(url: URL): void {
    if (url.protocol !== 'https:' && !(this.#allowPrivate && url.protocol === 'http:'))
      throw new EndpointRefused('must have an https address');
    if (url.username !== '' || url.password !== '')
      throw new EndpointRefused('must have an address without a password');
    const host = hostOf(url);
    if (isIP(host) !== 0) this.#assertPublic([host]);
    // These names always mean this machine.
    if (/(^|\.)localhost\.?$/.test(host)) this.#assertPublic(['127.0.0.1']);
  }

  /** The `lookup` option of a connection: returns only permitted addresses. */
  readonly lookup: LookupFunction = (host, options, callback) =>
    this.#lookUp(host, (error: Error | null, addresses?: readonly string[]) => {
      const found = (addresses ?? []).map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
      const [first] = found;
      if (error || !first) callback(error ?? new NoSuchName('the name has no address'), '');
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  readonly #lookUp = callbackify((host: string) => this.#addressesOf(host));

  async #addressesOf(host: string): Promise<readonly string[]> {
    const addresses = await this.#resolve(host);
    this.#assertPublic(addresses);
    return addresses;
  }

  /** A single bad address is enough to refuse: an honest endpoint has none. */
  #assertPublic(addresses: readonly string[]): void {
    if (!this.#allowPrivate && !addresses.every(isPublicAddress))
      throw new EndpointRefused('must have a public address');
  }
}

/** Runs a check; a refusal becomes an invalid_argument that names the field. */
export function admitted(field: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof EndpointRefused ? invalid(field, error.message) : error;
  }
}

/** The host of a URL, with the brackets of an IPv6 address removed. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const NOWHERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
const isNowhere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOWHERE.has(String(error.code));

/** Queries DNS directly: the system's lookup would block one of the few threads that files and passwords need. */
function resolveByDns(): Resolve {
  let resolver: Resolver | undefined;
  return async (host) => {
    resolver ??= new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    if (failed.every(isNowhere)) throw new NoSuchName('must have an address whose name is known');
    throw new Error('the name could not be looked up', { cause: failed.find((error) => !isNowhere(error)) });
  };
}

/** Also reads this machine's hosts file. */
const resolveAsSystem: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);
