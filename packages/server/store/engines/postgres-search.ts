// The word index of PostgreSQL: the tables search_extent and message_words.
import type { TextChange } from '../file-texts.ts';
import { lightRecord } from '../messages.ts';
import { mayBeFound } from '../search.ts';
import { onPostgres } from './postgres-log.ts';

/** The keys that the index covers. */
interface ExtentRow {
  from_key: number;
  through_key: number;
  /** The files of all messages from this key on are indexed; null: of none. */
  files_from: number | null;
}
/** The version of the layout and the forms of words: another one has an extent of its own, and a new index. */
const FORMS = 3;
export const extent = onPostgres<ExtentRow>(
  `SELECT from_key, through_key, files_from FROM search_extent WHERE id = ${FORMS}`,
);

export interface NamedRow {
  lowest: number;
  /** Null if nothing was found: there is still one row, for `lowest`. */
  key: number | null;
  record: string | null;
  /** The places of files that the index names, separated by commas; null for none. */
  places: string | null;
}
type NamedParams = [
  first: number,
  last: number,
  account: number,
  chat: number,
  sender: number,
  marks: number,
  queries: string,
  limit: number,
  fileQueries: string,
];

/**
 * For each query, the newest messages that match it, by their text or by a file, down to `lowest`, where the first query,
 * or all together, reached the limit; also the messages that changed since they were indexed. Only messages that the
 * account may find. All rows are of one snapshot, so a change that is no longer listed is already in the index.
 */
export const named = onPostgres<NamedRow, NamedParams>(
  // OFFSET 0 forces the use of the word index. A query names one part, so it has few matches. TIES are the other files
  // of the last message.
  `WITH found AS MATERIALIZED (
     SELECT i.message_key, NULL::bigint AS place, asked.at FROM json_array_elements_text($7::json) WITH ORDINALITY AS asked (query, at)
       CROSS JOIN LATERAL (
         SELECT w.message_key
           FROM (SELECT message_key FROM message_words WHERE words @@ asked.query::tsquery OFFSET 0) w
           WHERE w.message_key >= $1 AND w.message_key <= $2 ORDER BY w.message_key DESC LIMIT $8::bigint) i
     UNION ALL
     SELECT i.message_key, i.place, -asked.at FROM json_array_elements_text($9::json) WITH ORDINALITY AS asked (query, at)
       CROSS JOIN LATERAL (
         SELECT w.message_key, w.place
           FROM (SELECT message_key, place FROM file_words WHERE words @@ asked.query::tsquery OFFSET 0) w
           WHERE w.message_key >= $1 AND w.message_key <= $2 ORDER BY w.message_key DESC
             FETCH FIRST ($8::bigint) ROWS WITH TIES) i),
   cuts AS (
     SELECT min(message_key) AS key FROM found GROUP BY at HAVING count(*) >= $8::bigint
     UNION ALL (SELECT message_key FROM found ORDER BY message_key DESC OFFSET $8::bigint - 1 LIMIT 1)),
   lowest AS MATERIALIZED (SELECT greatest($1::bigint, coalesce(max(key), $1::bigint)) AS key FROM cuts),
   candidates AS MATERIALIZED (
     SELECT message_key, string_agg(place::text, ',' ORDER BY place) AS places FROM (
       SELECT message_key, place FROM found WHERE message_key >= (SELECT key FROM lowest)
       UNION ALL
       SELECT message_key, NULL FROM search_changes
         WHERE message_key >= (SELECT key FROM lowest) AND message_key <= $2) named GROUP BY message_key)
   SELECT l.key AS lowest, v.key, v.chat_key, v.record, v.places FROM lowest l LEFT JOIN (
     SELECT m.key, m.chat_key, c.places, ${lightRecord} FROM candidates c JOIN messages m ON m.key = c.message_key WHERE ${mayBeFound}
   ) v ON true ORDER BY v.key DESC`,
);

/** A node updates the index under a lock on this row; another one waits, and continues where the first ended. */
export const lockedExtent = onPostgres<ExtentRow>(`${extent.sql} FOR UPDATE`);
export const setExtent = onPostgres<never, [from: number, through: number]>(
  `INSERT INTO search_extent (id, from_key, through_key) VALUES (${FORMS}, $1, $2)
   ON CONFLICT (id) DO UPDATE SET from_key = excluded.from_key, through_key = excluded.through_key`,
);
export const firstExtent = onPostgres<never, [from: number, through: number]>(
  `INSERT INTO search_extent (id, from_key, through_key) VALUES (${FORMS}, $1, $2) ON CONFLICT (id) DO NOTHING`,
);
/** The extent of an index in other forms. Nodes of that version go on using it until this version has the oldest node. */
export const otherExtent = onPostgres<{ id: number }>(`SELECT id FROM search_extent WHERE id <> ${FORMS}`);
/** Deletes the whole index: another node may have begun a new one meanwhile, which begins again. */
export const emptyIndex = 'DELETE FROM search_extent; TRUNCATE message_words; TRUNCATE file_words';
/** Notes down to which message files are indexed. */
export const setFilesFrom = onPostgres<never, [from: number]>(
  `UPDATE search_extent SET files_from = $1 WHERE id = ${FORMS}`,
);
/** The pending changes; each is deleted in the transaction that indexes it. */
export const oldestChanges = onPostgres<{ key: number; message_key: number }, [limit: number]>(
  'SELECT key, message_key FROM search_changes ORDER BY key LIMIT $1',
);
export const dropChanges = onPostgres<never>('DELETE FROM search_changes WHERE key IN (:list)');
export const dropWords = onPostgres<never>('DELETE FROM message_words WHERE message_key IN (:list)');
export const putWords = onPostgres<never, [entries: string]>(
  `INSERT INTO message_words (message_key, words)
     SELECT (entry ->> 0)::bigint, (entry ->> 1)::tsvector FROM json_array_elements($1::json) entry
   ON CONFLICT (message_key) DO UPDATE SET words = excluded.words`,
);
/** Messages whose files were read since, each deleted in the transaction that indexes it. */
export const oldestTextChanges = onPostgres<TextChange, [limit: number]>(
  'SELECT key, message_key FROM file_text_changes ORDER BY key LIMIT $1',
);
export const dropTextChanges = onPostgres<never>('DELETE FROM file_text_changes WHERE key IN (:list)');
export const dropFileWords = onPostgres<never>('DELETE FROM file_words WHERE message_key IN (:list)');
export const putFileWords = onPostgres<never, [entries: string]>(
  `INSERT INTO file_words (message_key, place, words)
     SELECT (entry ->> 0)::bigint, (entry ->> 1)::bigint, (entry ->> 2)::tsvector FROM json_array_elements($1::json) entry
   ON CONFLICT (message_key, place) DO UPDATE SET words = excluded.words`,
);
export const sortInFiles = onPostgres<never>("SELECT gin_clean_pending_list('file_words_words')");

/** Merges the pending list that `putWords` fills; otherwise every search would have to scan it. */
export const sortIn = onPostgres<never>("SELECT gin_clean_pending_list('message_words_words')");

/** Transactions in progress that may have taken keys of messages. */
export const writers = onPostgres<{ id: string }>(
  `SELECT DISTINCT virtualtransaction AS id FROM pg_locks
   WHERE locktype = 'relation' AND relation = 'messages'::regclass AND mode = 'RowExclusiveLock' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);
export const rest = onPostgres<never>('SELECT pg_sleep(0.01)');
