import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { SecretKey } from '../secrets/seal.ts';

/** An address serves for so long at most. */
const LIFETIME_S = 600;
/** Addresses that one reader gets within the same minute are the same: its browser knows the file already. */
const GRID_S = 60;
const SIGNATURE_BYTES = 16;

/** An unescaped quote in JSON text is real structure: no text that somebody wrote can hold this. */
const MARK = 'url":"/files/';
const bareUrl = /"((?:thumbnail_)?url)":"\/files\/([0-9a-f-]{36})(\/thumbnail)?"/g;

/** True for JSON text that names files: it differs from reader to reader. */
export const holdsFileUrls = (text: string): boolean => text.includes(MARK);

export const fileUrl = (id: string): string => `/files/${id}`;
export const thumbnailUrl = (id: string): string => `/files/${id}/thumbnail`;

/** What an address says beside the file: for whom it is, until when (seconds since the epoch), and the proof. */
export interface SignedQuery {
  a?: unknown;
  e?: unknown;
  s?: unknown;
}

/**
 * Makes the addresses of files. Records hold `/files/<id>`; on its way to a reader each gets a signature that is good
 * for that account, this file and some minutes (FILE-5). Whether the account may see it is asked when it is fetched.
 */
export class FileUrls {
  readonly #keys: readonly Buffer[];
  readonly #clock: Clock;

  constructor(keys: readonly SecretKey[], clock: Clock) {
    this.#keys = keys.map(({ bytes }) => Buffer.from(hkdfSync('sha256', bytes, '', 'parley addresses of files', 32)));
    this.#clock = clock;
  }

  /** JSON text for one reader. Most text names no file, and is answered as it is. */
  sign(text: string, accountKey: number): string {
    if (!holdsFileUrls(text)) return text;
    const until = Math.floor((this.#clock.now() / 1_000 + LIFETIME_S) / GRID_S) * GRID_S;
    const queries = new Map<string, string>();
    const queryOf = (id: string): string => {
      let query = queries.get(id);
      if (query === undefined) {
        const a = accountKey.toString(36);
        query = `a=${a}&e=${until}&s=${this.#signature(this.#keys[0], id, a, String(until)).toString('base64url')}`;
        queries.set(id, query);
      }
      return query;
    };
    return text.replaceAll(
      bareUrl,
      (_, field: string, id: string, variant = '') => `"${field}":"/files/${id}${variant}?${queryOf(id)}"`,
    );
  }

  /** Whose address it is, if it is one of ours and still good; null otherwise. */
  accountOf(id: string, { a, e, s }: SignedQuery): number | null {
    // A query can hold a name twice: then it is a list.
    if (typeof a !== 'string' || typeof e !== 'string' || typeof s !== 'string' || !/^\d{1,12}$/.test(e)) return null;
    const given = Buffer.from(s, 'base64url');
    if (given.length !== SIGNATURE_BYTES) return null;
    // Every key of the ring: an address outlives the change of the first one.
    if (!this.#keys.some((key) => timingSafeEqual(this.#signature(key, id, a, e), given))) return null;
    if (Number(e) * 1_000 <= this.#clock.now()) return null;
    return Number.parseInt(a, 36);
  }

  #signature(key: Buffer | undefined, id: string, a: string, e: string): Buffer {
    if (!key) throw new Error('no key to sign with');
    return createHmac('sha256', key).update(`${id} ${a} ${e}`).digest().subarray(0, SIGNATURE_BYTES);
  }
}
