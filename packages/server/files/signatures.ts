import type { Clock } from '../core/clock.ts';
import type { SecretKey } from '../secrets/seal.ts';
import { type SignedQuery, SignedUrls } from '../secrets/signed-url.ts';

/** Addresses that one reader gets within the same minute are the same: its browser knows the file already. */
const GRID_S = 60;

/** An unescaped quote in JSON text is real structure: no text that somebody wrote can hold this. */
const MARK = 'url":"/files/';
const bareUrl = /"((?:thumbnail_)?url)":"\/files\/([0-9a-f-]{36})(\/thumbnail)?"/g;

/** True for JSON text that names files: it differs from reader to reader. */
export const holdsFileUrls = (text: string): boolean => text.includes(MARK);

export const fileUrl = (id: string): string => `/files/${id}`;
export const thumbnailUrl = (id: string): string => `/files/${id}/thumbnail`;

/**
 * Makes the addresses of files. Records hold `/files/<id>`; on its way to a reader each gets a signature that is good
 * for that account, this file and some minutes (FILE-5). Whether the account may see it is asked when it is fetched.
 */
export class FileUrls {
  readonly #urls: SignedUrls;

  constructor(keys: readonly SecretKey[], clock: Clock) {
    this.#urls = new SignedUrls(keys, 'parley addresses of files', clock, { gridS: GRID_S, signatureBytes: 16 });
  }

  /** JSON text for one reader. Most text names no file, and is answered as it is. */
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

  /** Whose address it is, if it is one of ours and still good; null otherwise. */
  accountOf(id: string, query: SignedQuery): number | null {
    return this.#urls.accountOf(id, query);
  }
}
