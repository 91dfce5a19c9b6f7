import { msSince } from '@parley/protocol/dates';
import type { Clock } from '../core/clock.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import type { TrustedIssuer } from '../store/backends.ts';
import { fetchPublicKeys } from './fetch-keys.ts';
import { NoKeySet } from './jwk-set.ts';

/** Minimum time between two fetches for one backend, failed ones included: anybody can cause one with a forged JWT. */
const FETCH_EVERY_MS = 60_000;
/** Maximum age of a set with which a JWT is verified while its address answers: how long a removed key may work. */
const MAX_AGE_MS = 3_600_000;

/** A set that was fetched, to be stored instead of the backend's earlier one. */
export interface FetchedKeys {
  backendKey: number;
  url: string;
  jwks: string;
  /** When the request began. */
  fetchedAt: number;
}

interface PublishedKeyNeeds {
  clock: Clock;
  fetch: Fetch;
  keep: (keys: FetchedKeys) => Promise<unknown>;
  /** The address gave no set; the stored one stays. */
  onNoKeys: (backend: string, reason: string) => void;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown) => void;
}

type Issuer = Pick<TrustedIssuer, 'key' | 'name' | 'jwks_url' | 'jwks_fetched_at'>;

/**
 * Fetches the key sets that backends publish (TOKEN-18). What is known of running and failed fetches is this node's
 * own; a set that another node has stored counts as fetched.
 */
export class PublishedKeys {
  readonly #needs: PublishedKeyNeeds;
  /** By the keys of backends. */
  readonly #running = new Map<number, Promise<boolean>>();
  /** By the monotonic clock. */
  readonly #fetchStartedAt = new Map<number, number>();
  readonly #stop = new AbortController();

  constructor(needs: PublishedKeyNeeds) {
    this.#needs = needs;
  }

  /** Whether the set must be fetched again before it is used. */
  isOld({ jwks_url: url, jwks_fetched_at: fetchedAt }: Issuer): boolean {
    return url !== null && this.#storedMs(fetchedAt) >= MAX_AGE_MS;
  }

  /**
   * Fetches and stores the set of a backend, unless one was fetched within the last minute; joins a fetch that is
   * running. Returns whether a set was fetched and stored. The caller reads the stored set again either way.
   */
  async renew(issuer: Issuer): Promise<boolean> {
    const { key, name, jwks_url: url } = issuer;
    if (url === null) return false;
    const running = this.#running.get(key);
    if (running) return running;
    if (this.retryAfterMs(issuer) > 0) return false;
    const fetchedAt = this.#needs.clock.now();
    this.#fetchStartedAt.set(key, this.#needs.clock.monotonic());
    const fetch = this.#fetch(name, { backendKey: key, url, fetchedAt }).finally(() => this.#running.delete(key));
    this.#running.set(key, fetch);
    return fetch;
  }

  /** Time until this node may fetch the set again. */
  retryAfterMs({ key, jwks_fetched_at: storedAt }: Issuer): number {
    const startedMs = this.#needs.clock.monotonic() - (this.#fetchStartedAt.get(key) ?? -Infinity);
    return Math.max(0, FETCH_EVERY_MS - Math.min(this.#storedMs(storedAt), startedMs));
  }

  /** Ends running fetches. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }

  async #fetch(name: string, wanted: Omit<FetchedKeys, 'jwks'>): Promise<boolean> {
    const { clock, fetch, keep, onNoKeys, onFault } = this.#needs;
    try {
      const jwks = await fetchPublicKeys(wanted.url, { clock, fetch, stop: this.#stop.signal });
      await keep({ ...wanted, jwks });
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      if (error instanceof NoKeySet) onNoKeys(name, error.message);
      else onFault(error);
      return false;
    }
  }

  /** How long ago a set was stored; infinite for a time in the future: the clock has been set back since. */
  #storedMs(storedAt: number | null): number {
    const ms = msSince(storedAt ?? -Infinity, this.#needs.clock.now());
    return ms < 0 ? Infinity : ms;
  }
}
