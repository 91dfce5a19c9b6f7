import { dateAfter, hasCome } from '@parley/protocol/dates';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { SecretKey } from './seal.ts';

/** How long an address is valid. */
const LIFETIME_S = 600;

/**
 * The query of a signed address: the account, the expiry (seconds since the epoch) and the signature. The values are
 * unknown, because a parameter given twice is parsed as a list.
 */
export interface SignedQuery {
  a?: unknown;
  e?: unknown;
  s?: unknown;
}

interface Form {
  /** Addresses of one resource that are made within this many seconds are equal, so that clients can cache. */
  gridS?: number;
  /** Length of a signature: at least 16, so that it cannot be guessed. */
  signatureBytes?: number;
}

/** Addresses that are valid for one account and some minutes, without a token (EXPORT-1, FILE-5). */
export class SignedUrls {
  readonly #keys: readonly Buffer[];
  readonly #clock: Clock;
  readonly #gridS: number;
  readonly #signatureBytes: number;

  /** `purpose` separates uses: an address signed for one purpose is not valid for another. */
  constructor(keys: readonly SecretKey[], purpose: string, clock: Clock, form: Form = {}) {
    this.#keys = keys.map(({ bytes }) => Buffer.from(hkdfSync('sha256', bytes, '', purpose, 32)));
    this.#clock = clock;
    this.#gridS = form.gridS ?? 1;
    this.#signatureBytes = form.signatureBytes ?? 32;
  }

  sign(path: string, accountKey: number): string {
    return `${path}?${this.queryFor(path, accountKey)}`;
  }

  /** The query of an address, without the `?`. `what` is signed: the path, or other text that identifies a resource. */
  queryFor(what: string, accountKey: number): string {
    const a = accountKey.toString(36);
    const end = dateAfter(this.#clock.now(), LIFETIME_S * 1_000);
    const e = String(Math.floor(end / 1_000 / this.#gridS) * this.#gridS);
    return `a=${a}&e=${e}&s=${this.#signature(this.#keys[0], what, a, e).toString('base64url')}`;
  }

  /** The account an address was signed for; null if the signature is wrong or has expired. */
  accountOf(what: string, { a, e, s }: SignedQuery): number | null {
    if (typeof a !== 'string' || typeof e !== 'string' || typeof s !== 'string') return null;
    if (!/^[0-9a-z]{1,11}$/.test(a) || !/^\d{1,12}$/.test(e)) return null;
    const given = Buffer.from(s, 'base64url');
    if (given.length !== this.#signatureBytes) return null;
    // Tries every key, so that an address stays valid when the first key is replaced.
    if (!this.#keys.some((key) => timingSafeEqual(this.#signature(key, what, a, e), given))) return null;
    return hasCome(Number(e) * 1_000, this.#clock.now()) ? null : Number.parseInt(a, 36);
  }

  #signature(key: Buffer | undefined, what: string, a: string, e: string): Buffer {
    if (!key) throw new Error('no key to sign with');
    return createHmac('sha256', key).update(`${what} ${a} ${e}`).digest().subarray(0, this.#signatureBytes);
  }
}
