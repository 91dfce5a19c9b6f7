import { isKeptBy, isShownTo } from './chat-states.ts';
import { mark } from './marks.ts';
import { statement } from './sql.ts';

export interface FileRow {
  key: number;
  id: Uint8Array;
  account_key: number;
  kind: 'photo' | 'file';
  name: string;
  mime_type: string;
  size: number;
  width: number | null;
  height: number | null;
  thumbnail_size: number;
  uses: number;
  created_at: number;
}

/** SQL: the columns of `FileRow`, of files `f`. */
export const columnsOfFile =
  'f.key, f.id, f.account_key, f.kind, f.name, f.mime_type, f.size, f.width, f.height, f.thumbnail_size, f.uses, f.created_at';

/** SQL: the account `$2` may see a message that holds the file, by the same conditions as `visibleStatus`. */
const isSeenInMessage = `EXISTS (
  SELECT 1 FROM message_files mf JOIN messages m ON m.key = mf.message_key
    JOIN participants p ON p.chat_key = m.chat_key AND p.account_key = $2
  WHERE mf.file_key = f.key AND m.deleted_at IS NULL
    AND ${isKeptBy('$2')}
    AND (m.channel_key = 0
      OR EXISTS (SELECT 1 FROM channels c WHERE c.key = m.channel_key AND c.deleted_at IS NULL)))`;

/**
 * SQL: the account `$2` is a person who may see an agent in whose library the file is open (KNOW-5), by the same
 * conditions as `requireVisibleAgent`.
 */
const isOpenInLibrary = `EXISTS (
  SELECT 1 FROM agent_sources s JOIN accounts a ON a.key = s.agent_key
    JOIN accounts v ON v.key = $2 AND v.kind = 'human' AND v.deleted_at IS NULL
  WHERE s.file_key = f.key AND s.is_open = 1 AND a.deleted_at IS NULL
    AND ((a.is_public = 1 AND v.role <> 'guest') OR EXISTS (
      SELECT 1 FROM participants p JOIN participants o ON o.chat_key = p.chat_key AND o.account_key = $2
      WHERE p.account_key = a.key)))`;

/** The file, if the account may see it now: it uploaded it, sees a message that holds it, or an open source (FILE-4, KNOW-5). */
export const fileForAccount = statement<FileRow, [id: Uint8Array, account: number]>(
  `SELECT ${columnsOfFile} FROM files f WHERE f.id = $1 AND (f.account_key = $2 OR ${isSeenInMessage} OR ${isOpenInLibrary})`,
);

/** Where a file stands in a conversation. */
export interface FilePlace {
  id: Uint8Array;
  message_key: number;
  sender_key: number;
  marks: number;
}
const placeColumns = 'f.id, m.key AS message_key, m.sender_key, m.marks';
/** The newest messages of a conversation with a file of this name, among the newest 1,000 with files. */
export const filePlacesByName = statement<FilePlace, [chat: number, name: string]>(
  `SELECT ${placeColumns} FROM (SELECT n.key, n.sender_key, n.marks FROM messages n WHERE n.chat_key = $1
       AND (n.marks & ${mark.files}) <> 0 AND n.deleted_at IS NULL ORDER BY n.key DESC LIMIT 1000) m
     JOIN message_files mf ON mf.message_key = m.key JOIN files f ON f.key = mf.file_key
   WHERE f.name = $2 ORDER BY m.key DESC LIMIT 20`,
);
/** The newest messages of a conversation with this file. */
export const filePlacesById = statement<FilePlace, [chat: number, id: Uint8Array]>(
  `SELECT ${placeColumns} FROM files f JOIN message_files mf ON mf.file_key = f.key
     JOIN messages m ON m.key = mf.message_key
   WHERE f.id = $2 AND m.chat_key = $1 AND m.deleted_at IS NULL ORDER BY m.key DESC LIMIT 20`,
);

/** The file of a message, if both accounts may see that message now (CONTEXT-16). */
export const fileInMessage = statement<
  FileRow,
  [id: Uint8Array, message: number, oneAccount: number, otherAccount: number]
>(
  `SELECT ${columnsOfFile} FROM files f JOIN message_files mf ON mf.file_key = f.key JOIN messages m ON m.key = mf.message_key
   WHERE f.id = $1 AND m.key = $2 AND m.deleted_at IS NULL
     AND (m.channel_key = 0
       OR EXISTS (SELECT 1 FROM channels c WHERE c.key = m.channel_key AND c.deleted_at IS NULL))
     AND EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = m.chat_key AND p.account_key = $3
       AND p.cleared_key < m.key)
     AND EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = m.chat_key AND p.account_key = $4
       AND p.cleared_key < m.key)
     AND ${isShownTo('$3')} AND ${isShownTo('$4')}`,
);

export const fileById = statement<Pick<FileRow, 'thumbnail_size'>, [id: Uint8Array]>(
  'SELECT thumbnail_size FROM files WHERE id = $1',
);

export const insertFile = statement<
  never,
  [
    id: Uint8Array,
    account: number,
    kind: string,
    name: string,
    mimeType: string,
    size: number,
    width: number | null,
    height: number | null,
    thumbnailSize: number,
    now: number,
  ]
>(
  `INSERT INTO files (id, account_key, kind, name, mime_type, size, width, height, thumbnail_size, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
export const deleteFile = statement<never, [key: number]>('DELETE FROM files WHERE key = $1');

/** Size and age of an account's uploads that no message holds, with those that are not complete. */
export const unusedOf = statement<{ bytes: number; oldest: number | null }, [account: number]>(
  `SELECT COALESCE(sum(size), 0) AS bytes, min(created_at) AS oldest FROM (
     SELECT size, created_at FROM files WHERE account_key = $1 AND uses = 0
     UNION ALL SELECT size, created_at FROM open_uploads WHERE account_key = $1 AND file_id IS NULL
   ) unused`,
);
export const unusedBefore = statement<FileRow, [before: number, limit: number]>(
  `SELECT ${columnsOfFile} FROM files f WHERE f.uses = 0 AND f.created_at <= $1 ORDER BY f.created_at LIMIT $2`,
);

/** An account's uploads that no message holds. */
export const unsentOf = statement<FileRow, [account: number, limit: number]>(
  `SELECT ${columnsOfFile} FROM files f WHERE f.uses = 0 AND f.account_key = $1 ORDER BY f.created_at LIMIT $2`,
);
/** Gives an account's unused uploads the age 0, so that they are deleted next. */
export const ageUnsentOf = statement<never, [account: number]>(
  'UPDATE files SET created_at = 0 WHERE account_key = $1 AND uses = 0',
);

export const insertUse = statement<never, [message: number, file: number, channel: number]>(
  `INSERT INTO message_files (message_key, file_key, channel_key) VALUES ($1, $2, $3)
   ON CONFLICT (message_key, file_key) DO NOTHING`,
);
export const countUse = statement<Pick<FileRow, 'account_key' | 'kind' | 'mime_type' | 'name' | 'uses'>, [key: number]>(
  'UPDATE files SET uses = uses + 1 WHERE key = $1 RETURNING account_key, kind, mime_type, name, uses',
);
export const uncountUse = statement<FileRow, [key: number]>(
  `UPDATE files AS f SET uses = uses - 1 WHERE f.key = $1 RETURNING ${columnsOfFile.replaceAll('f.', '')}`,
);
export const deleteUsesOfMessage = statement<{ file_key: number }, [message: number]>(
  'DELETE FROM message_files WHERE message_key = $1 RETURNING file_key',
);
export const deleteUsesOfChannel = statement<{ file_key: number }, [channel: number]>(
  'DELETE FROM message_files WHERE channel_key = $1 AND channel_key <> 0 RETURNING file_key',
);

export const avatarOf = statement<{ name: string }, [account: number]>(
  'SELECT name FROM avatars WHERE account_key = $1',
);
/** Of an account or of a group. */
export const avatarByName = statement<{ size: number }, [name: string]>(
  `SELECT size FROM avatars WHERE name = $1
   UNION ALL SELECT avatar_size AS size FROM chats WHERE avatar_name = $1 AND avatar_name IS NOT NULL`,
);
/** The address of an avatar. */
export const avatarUrl = (name: string): string => `/avatars/${name}.webp`;
export const deleteAvatar = statement<never, [account: number]>('DELETE FROM avatars WHERE account_key = $1');
export const insertAvatar = statement<never, [account: number, name: string, size: number]>(
  'INSERT INTO avatars (account_key, name, size) VALUES ($1, $2, $3)',
);

/** Marks stored bytes for removal at a given time. */
export const planRemoval = statement<never, [name: string, dueAt: number]>(
  'INSERT INTO files_to_remove (name, due_at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at',
);
/** Like `planRemoval`, but keeps an earlier mark. */
export const planRemovalOnce = statement<never, [name: string, dueAt: number]>(
  'INSERT INTO files_to_remove (name, due_at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
);
/** Unmarks stored bytes: a row refers to them, or they are removed. */
export const dropRemoval = statement<never, [name: string]>('DELETE FROM files_to_remove WHERE name = $1');
export const dueRemovals = statement<{ name: string }, [now: number, limit: number]>(
  'SELECT name FROM files_to_remove WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
);

export const filesAfter = statement<{ key: number; id: Uint8Array; thumbnail_size: number }, [key: number]>(
  'SELECT key, id, thumbnail_size FROM files WHERE key > $1 ORDER BY key LIMIT 500',
);
export const groupAvatarsAfter = statement<{ key: number; name: string }, [key: number]>(
  'SELECT key, avatar_name AS name FROM chats WHERE avatar_name IS NOT NULL AND key > $1 ORDER BY key LIMIT 500',
);
export const avatarsAfter = statement<{ key: number; name: string }, [key: number]>(
  'SELECT account_key AS key, name FROM avatars WHERE account_key > $1 ORDER BY account_key LIMIT 500',
);
