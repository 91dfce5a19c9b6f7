import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { invalid } from '../core/errors.ts';
import { isPublicAddress } from './public-address.ts';

/** All addresses of a name. Rejects with NoSuchName when it has none for sure, otherwise when it cannot tell. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export class NoSuchName extends Error {}
/** The endpoint must not be connected to, whatever it may be. */
export class EndpointRefused extends Error {}

const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;

/**
 * Keeps pushes from being aimed at our own network: clients name the endpoints. The URL is checked when it is registered
 * and when a push is sent. Names are resolved at each connect, to the addresses that were checked (NOTIF-6, PUSH-17).
 */
export class EndpointGuard {
  readonly #allowPrivate: boolean;
  readonly #resolve: Resolve;

  constructor({ allowPrivate, resolve }: { allowPrivate: boolean; resolve?: Resolve }) {
    this.#allowPrivate = allowPrivate;
    this.#resolve = resolve ?? (allowPrivate ? resolveAsSystem : resolveByDns());
  }

  /** For a registration: asks no network, and throws invalid_argument for what the URL alone rules out (NOTIF-6). */
  admit(endpoint: string): void {
    try {
      this.check(new URL(endpoint));
    } catch (error) {
      throw error instanceof EndpointRefused ? invalid('token', error.message) : error;
    }
  }

  /** What can be told from the URL alone; throws EndpointRefused. An address in it is connected to without a look-up. */
  check(url: URL): void {
    if (url.protocol !== 'https:' && !(this.#allowPrivate && url.protocol === 'http:'))
      throw new EndpointRefused('must have an https endpoint');
    if (url.username !== '' || url.password !== '')
      throw new EndpointRefused('must have an endpoint without a password');
    const host = hostOf(url);
    if (isIP(host) !== 0) this.#assertPublic([host]);
    // These names are this machine's wherever they are looked up.
    if (/(^|\.)localhost\.?$/.test(host)) this.#assertPublic(['127.0.0.1']);
  }

  /** For a connection's options: only addresses that may be connected to come out of it. */
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

  /** One bad address among good ones is enough: nobody's honest endpoint has such. */
  #assertPublic(addresses: readonly string[]): void {
    if (!this.#allowPrivate && !addresses.every(isPublicAddress))
      throw new EndpointRefused('must have an endpoint on a public address');
  }
}

/** The host of a URL as an address has it: IPv6 without its brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const NOWHERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
const isNowhere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOWHERE.has(String(error.code));

/** Asks DNS itself: the system's look-up takes one of the few threads that files and passwords need, for seconds. */
function resolveByDns(): Resolve {
  let resolver: Resolver | undefined;
  return async (host) => {
    resolver ??= new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    if (failed.every(isNowhere)) throw new NoSuchName('must have an endpoint whose name is known');
    throw new Error('the name could not be looked up', { cause: failed.find((error) => !isNowhere(error)) });
  };
}

/** With the names of this machine's own files. */
const resolveAsSystem: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);
