import type { Clock } from '../core/clock.ts';
import type { SecretKey } from '../secrets/seal.ts';
import { type SignedQuery, SignedUrls } from '../secrets/signed-url.ts';

/** Addresses of a file that a reader gets within this many seconds are equal, so that browsers can cache. */
const GRID_S = 60;

/** A text that a user wrote cannot contain this, because JSON escapes its quotes. */
const MARK = 'url":"/files/';
const bareUrl = /"((?:thumbnail_)?url)":"\/files\/([0-9a-f-]{36})(\/thumbnail)?"/g;

/** Most text does not contain this. V8 finds a rare first character much faster than that of MARK. */
const RARE = '/files/';

/** Whether JSON text contains file URLs, which differ per reader. */
export const holdsFileUrls = (text: string): boolean => text.includes(RARE) && text.includes(MARK);

export const fileUrl = (id: string): string => `/files/${id}`;
export const thumbnailUrl = (id: string): string => `/files/${id}/thumbnail`;

/**
 * Signs the URLs of files. Records contain `/files/<id>`; each reader gets a signature valid for its account, this
 * file and some minutes (FILE-5). Whether the account may read the file is checked when it is fetched.
 */
export class FileUrls {
  readonly #urls: SignedUrls;

  constructor(keys: readonly SecretKey[], clock: Clock) {
    this.#urls = new SignedUrls(keys, 'parley addresses of files', clock, { gridS: GRID_S, signatureBytes: 16 });
  }

  /** Signs the URLs in JSON text for one reader. Most text has none, and is returned as it is. */
  sign(text: string, accountKey: number): string {
    if (!holdsFileUrls(text)) return text;
    const queries = new Map<string, string>();
    const queryOf = (id: string): string => {
      const query = queries.get(id) ?? this.#urls.queryFor(id, accountKey);
      queries.set(id, query);
      return query;
    };
    return text.replaceAll(
      bareUrl,
      (_, field: string, id: string, variant = '') => `"${field}":"/files/${id}${variant}?${queryOf(id)}"`,
    );
  }

  /** The account an address was signed for; null if the signature is wrong or has expired. */
  accountOf(id: string, query: SignedQuery): number | null {
    return this.#urls.accountOf(id, query);
  }
}
