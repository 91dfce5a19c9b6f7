// Uploads that come in several requests (FILE-32).
import { statement } from './sql.ts';

export interface OpenUploadRow {
  id: Uint8Array;
  account_key: number;
  name: string;
  /** The length that the client has declared. */
  size: number;
  received: number;
  /** The ends of the names of the stored parts, in order, each with a space before it. */
  parts: string;
  /** The file that the upload became; null until then. */
  file_id: Uint8Array | null;
  created_at: number;
}

const columns = 'id, account_key, name, size, received, parts, file_id, created_at';

export const insertOpenUpload = statement<
  never,
  [id: Uint8Array, account: number, name: string, size: number, now: number]
>('INSERT INTO open_uploads (id, account_key, name, size, created_at) VALUES ($1, $2, $3, $4, $5)');

/** An account's own upload, if it began after a time. */
export const openUpload = statement<OpenUploadRow, [id: Uint8Array, account: number, after: number]>(
  `SELECT ${columns} FROM open_uploads WHERE id = $1 AND account_key = $2 AND created_at > $3`,
);

/** The unfinished uploads of an account, its owner and that owner's other bots. */
export const openUploadsOf = statement<{ count: number; bytes: number }, [account: number]>(
  `SELECT count(*) AS count, COALESCE(sum(u.size), 0) AS bytes FROM open_uploads u JOIN accounts a ON a.key = u.account_key
   WHERE u.file_id IS NULL
     AND COALESCE(a.parent_key, a.key) = (SELECT COALESCE(parent_key, key) FROM accounts WHERE key = $1)`,
);

/** Appends a part, if the upload has received exactly what precedes it. */
export const appendUploadPart = statement<
  never,
  [id: Uint8Array, account: number, offset: number, received: number, part: string]
>(
  `UPDATE open_uploads SET received = $4, parts = parts || ' ' || $5
   WHERE id = $1 AND account_key = $2 AND received = $3 AND file_id IS NULL`,
);

/** Notes the file that an upload became; changes nothing if it has become one already. */
export const endOpenUpload = statement<never, [id: Uint8Array, account: number, file: Uint8Array]>(
  "UPDATE open_uploads SET file_id = $3, parts = '' WHERE id = $1 AND account_key = $2 AND file_id IS NULL",
);

export const deleteOpenUpload = statement<never, [id: Uint8Array, account: number]>(
  'DELETE FROM open_uploads WHERE id = $1 AND account_key = $2',
);

export const openUploadsBefore = statement<{ id: Uint8Array }, [before: number]>(
  'SELECT id FROM open_uploads WHERE created_at <= $1 LIMIT 1',
);
export const deleteOpenUploadsBefore = statement<never, [before: number]>(
  'DELETE FROM open_uploads WHERE created_at <= $1',
);
