import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { SecretKey } from './seal.ts';

/** An address serves for so long. */
const LIFETIME_S = 600;
const SIGNATURE_BYTES = 32;

/** What an address says beside its path: for whom it is, until when (seconds since the epoch), and the proof. */
export interface SignedQuery {
  a?: string;
  e?: string;
  s?: string;
}

/** Addresses that are good for one account and some minutes, without a token (EXPORT-1). */
export class SignedUrls {
  readonly #keys: readonly Buffer[];
  readonly #clock: Clock;

  /** `purpose` keeps what is signed for one thing from being good for another. */
  constructor(keys: readonly SecretKey[], purpose: string, clock: Clock) {
    this.#keys = keys.map(({ bytes }) => Buffer.from(hkdfSync('sha256', bytes, '', purpose, 32)));
    this.#clock = clock;
  }

  sign(path: string, accountKey: number): string {
    const a = accountKey.toString(36);
    const e = String(Math.floor(this.#clock.now() / 1_000) + LIFETIME_S);
    return `${path}?a=${a}&e=${e}&s=${this.#signature(this.#keys[0], path, a, e).toString('base64url')}`;
  }

  /** Whose address it is, if it is one of ours and still good; null otherwise. */
  accountOf(path: string, { a, e, s }: SignedQuery): number | null {
    if (typeof a !== 'string' || typeof e !== 'string' || typeof s !== 'string') return null;
    if (!/^[0-9a-z]{1,11}$/.test(a) || !/^\d{1,12}$/.test(e)) return null;
    const given = Buffer.from(s, 'base64url');
    if (given.length !== SIGNATURE_BYTES) return null;
    // Every key of the ring: an address outlives the change of the first one.
    if (!this.#keys.some((key) => timingSafeEqual(this.#signature(key, path, a, e), given))) return null;
    return Number(e) * 1_000 > this.#clock.now() ? Number.parseInt(a, 36) : null;
  }

  #signature(key: Buffer | undefined, path: string, a: string, e: string): Buffer {
    if (!key) throw new Error('no key to sign with');
    return createHmac('sha256', key).update(`${path} ${a} ${e}`).digest();
  }
}
