// The texts of files, for the search (FILE-28): the tables file_texts and file_text_changes.
import { columnsOfFile, type FileRow } from './files.ts';
import { statement } from './sql.ts';

/** Lets a file that a message holds wait to be read; returns 0 if it has a row already. */
export const awaitText = statement<never, [file: number, account: number]>(
  `INSERT INTO file_texts (file_key, owner_key)
     SELECT CAST($1 AS BIGINT), COALESCE(a.parent_key, a.key) FROM accounts a WHERE a.key = $2
   ON CONFLICT (file_key) DO NOTHING`,
);
/** Lets the files of messages wait that have no row, as nodes of an earlier version leave them. */
export const awaitMissingTexts = statement(
  `INSERT INTO file_texts (file_key, owner_key)
     SELECT f.key, COALESCE(a.parent_key, a.key) FROM files f JOIN accounts a ON a.key = f.account_key
     WHERE f.kind = 'file' AND f.mime_type NOT LIKE 'audio/%' AND f.mime_type NOT LIKE 'video/%'
       AND EXISTS (SELECT 1 FROM message_files mf WHERE mf.file_key = f.key)
   ON CONFLICT (file_key) DO NOTHING`,
);
/** Deletes the texts of deleted files, which nodes of an earlier version leave. */
export const dropLeftTexts = statement(
  'DELETE FROM file_texts WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.key = file_key)',
);
export const deleteText = statement<never, [file: number]>('DELETE FROM file_texts WHERE file_key = $1');

export interface WaitingFile extends FileRow {
  owner_key: number;
}
/**
 * The newest waiting file of the next person after the given one. A claim that ends after `latest` was made before the
 * clock was set back: it counts no more than one that has ended.
 */
export const nextWaiting = statement<WaitingFile, [owner: number, now: number, latest: number]>(
  `SELECT ${columnsOfFile}, t.owner_key FROM file_texts t JOIN files f ON f.key = t.file_key
   WHERE t.read_at IS NULL AND t.owner_key > $1 AND (t.claimed_until <= $2 OR t.claimed_until > $3)
   ORDER BY t.owner_key, t.file_key DESC LIMIT 1`,
);
/** Claims a waiting file; no row if another node has it. */
export const claimText = statement<{ tries: number }, [file: number, now: number, until: number, latest: number]>(
  `UPDATE file_texts SET tries = tries + 1, claimed_until = $3
   WHERE file_key = $1 AND read_at IS NULL AND (claimed_until <= $2 OR claimed_until > $4) RETURNING tries`,
);
/** Ends a claim whose file could not be fetched: it counts as no try. */
export const unclaimText = statement<never, [file: number, tries: number, until: number]>(
  `UPDATE file_texts SET tries = tries - 1, claimed_until = $3
   WHERE file_key = $1 AND tries = $2 AND read_at IS NULL`,
);
export const setText = statement<never, [file: number, tries: number, text: string | null, now: number]>(
  `UPDATE file_texts SET text = $3, read_at = $4 WHERE file_key = $1 AND tries = $2 AND read_at IS NULL`,
);
/** Locks the row of a file until the commit, so that no message takes the file in between; returns 0 if it is gone. */
export const lockFile = statement<never, [file: number]>('UPDATE files SET uses = uses WHERE key = $1');

/** Notes for the index that the files of these messages were read. */
export const noteMessagesOfFile = statement<never, [file: number]>(
  'INSERT INTO file_text_changes (message_key) SELECT message_key FROM message_files WHERE file_key = $1',
);
/** The same for a new message with a file that was read before. */
export const noteMessageOfText = statement<never, [message: number, file: number]>(
  `INSERT INTO file_text_changes (message_key)
     SELECT CAST($1 AS BIGINT) FROM file_texts WHERE file_key = $2 AND text IS NOT NULL`,
);
/** The same for the messages of a channel, whose files are about to be released. */
export const noteTextsOfChannel = statement<never, [channel: number]>(
  `INSERT INTO file_text_changes (message_key)
     SELECT mf.message_key FROM message_files mf JOIN file_texts t ON t.file_key = mf.file_key
     WHERE mf.channel_key = $1 AND mf.channel_key <> 0 AND t.text IS NOT NULL`,
);

export interface TextChange {
  key: number;
  message_key: number;
}
export const textChangesAfter = statement<TextChange, [after: number, limit: number]>(
  'SELECT key, message_key FROM file_text_changes WHERE key > $1 ORDER BY key LIMIT $2',
);
export const endsOfTextChanges = statement<{ first: number | null; last: number | null }>(
  `SELECT (SELECT key FROM file_text_changes ORDER BY key LIMIT 1) AS first,
     (SELECT key FROM file_text_changes ORDER BY key DESC LIMIT 1) AS last`,
);
/** Deletes the changes before the given one, which is kept. */
export const forgetTextChanges = statement<never, [key: number]>('DELETE FROM file_text_changes WHERE key < $1');

/** Messages of a range of keys with files whose text is stored, newest first. */
export const messagesWithText = statement<{ message_key: number }, [first: number, before: number, limit: number]>(
  `SELECT DISTINCT mf.message_key FROM message_files mf JOIN file_texts t ON t.file_key = mf.file_key
   WHERE mf.message_key >= $1 AND mf.message_key < $2 AND t.text IS NOT NULL ORDER BY mf.message_key DESC LIMIT $3`,
);

interface TextRow {
  id: Uint8Array;
  name: string;
  text: string;
}
export const textsOfMessage = statement<TextRow, [message: number]>(
  `SELECT f.id, f.name, t.text FROM message_files mf JOIN files f ON f.key = mf.file_key
     JOIN file_texts t ON t.file_key = f.key WHERE mf.message_key = $1 AND t.text IS NOT NULL`,
);
/** The text of a file, if the message holds it. */
export const textInMessage = statement<{ text: string }, [id: Uint8Array, message: number]>(
  `SELECT t.text FROM files f JOIN message_files mf ON mf.file_key = f.key AND mf.message_key = $2
     JOIN file_texts t ON t.file_key = f.key WHERE f.id = $1 AND t.text IS NOT NULL`,
);
