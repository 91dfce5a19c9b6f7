// The bytes of files on PostgreSQL: the tables stored_files and file_chunks.
import { onPostgres } from './postgres-log.ts';

export const sizeOf = onPostgres<{ size: number }, [name: string]>('SELECT size FROM stored_files WHERE name = $1');
export const sliceOf = onPostgres<{ bytes: Uint8Array }, [name: string, at: number, from: number, length: number]>(
  'SELECT substring(bytes FROM $3::int + 1 FOR $4::int) AS bytes FROM file_chunks WHERE name = $1 AND at = $2',
);
export const namesAfter = onPostgres<{ name: string }, [after: string, limit: number]>(
  'SELECT name FROM stored_files WHERE name > $1 ORDER BY name LIMIT $2',
);
/** Not flushed on its own: the flush of the row in `stored_files` includes everything before it. */
export const insertChunk = onPostgres<never, [name: string, at: number, bytes: Uint8Array]>(
  `INSERT INTO file_chunks (name, at, bytes)
   SELECT $1, $2::bigint, $3::bytea FROM set_config('synchronous_commit', 'off', true)`,
);
export const insertFile = onPostgres<never, [name: string, size: number]>(
  `INSERT INTO stored_files (name, size) SELECT $1, $2::bigint
   WHERE $2::bigint = (SELECT coalesce(sum(octet_length(bytes)), 0) FROM file_chunks WHERE name = $1)`,
);
export const deleteFile = onPostgres<never, [name: string]>('DELETE FROM stored_files WHERE name = $1');
export const deleteChunks = onPostgres<never, [name: string, limit: number]>(
  `DELETE FROM file_chunks WHERE name = $1
   AND at IN (SELECT at FROM file_chunks WHERE name = $1 ORDER BY at LIMIT $2)`,
);
