// What an account keeps about its conversations: pins of its list, the archive, marks as unread, folders, and the place
// up to which it has cleared them. Only the account sees it.
import { isPublic } from './marks.ts';
import { statement } from './sql.ts';

/** SQL: the newest message of a conversation that the account has cleared; 0 if it has cleared nothing. */
const clearedIn = (chat: string, account: string): string =>
  `coalesce((SELECT q.cleared_key FROM participants q WHERE q.chat_key = ${chat} AND q.account_key = ${account}), 0)`;
/** SQL: the account has not hidden message `m` for itself. */
const isNotHidden = (account: string, m = 'm'): string =>
  `NOT EXISTS (SELECT 1 FROM hidden h WHERE h.account_key = ${account} AND h.message_key = ${m}.key)`;
/**
 * SQL: message `m` exists for the account: it is not private, or the account is one of those for whom it is, and still
 * takes part (DECIDE-9). `m` needs `key` and `marks`.
 */
export const isReadableBy = (account: string, m = 'm'): string =>
  `(${isPublic(m)} OR EXISTS (SELECT 1 FROM decision_people r JOIN decisions d ON d.message_key = r.message_key
     JOIN participants q ON q.chat_key = d.chat_key AND q.account_key = r.account_key
     WHERE r.message_key = ${m}.key AND r.account_key = ${account}))`;
/** SQL: message `m` exists for the account, which has not hidden it for itself. Every reader of messages asks this. */
export const isShownTo = (account: string, m = 'm'): string =>
  `${isReadableBy(account, m)} AND ${isNotHidden(account, m)}`;
/**
 * SQL: message `m` exists for the account, which has neither hidden nor cleared it. Where the query names one
 * conversation, pass it as `chat`, so that it is looked up once and bounds the range of keys.
 */
export const isKeptBy = (account: string, chat = 'm.chat_key'): string =>
  `m.key > ${clearedIn(chat, account)} AND ${isShownTo(account)}`;
/**
 * SQL: the same for messages of one conversation from a key on. There is one lower bound of keys, because SQLite would
 * read from only one of two on: all messages of the conversation, if that is what the account has cleared.
 */
export const isKeptFrom = (key: string, account: string, chat: string): string =>
  `m.key >= coalesce((SELECT CASE WHEN q.cleared_key < ${key} THEN ${key} ELSE q.cleared_key + 1 END
       FROM participants q WHERE q.chat_key = ${chat} AND q.account_key = ${account}), ${key})
     AND ${isShownTo(account)}`;
/**
 * SQL: the same as `isKeptBy`, for many messages of several conversations: looks up each message only if the account
 * has hidden any, and its conversation only if the account has cleared any.
 */
export const isKeptOfMany = (account: string): string =>
  `(NOT EXISTS (SELECT 1 FROM participants q WHERE q.account_key = ${account} AND q.cleared_key > 0)
       OR m.key > ${clearedIn('m.chat_key', account)})
     AND ${isReadableBy(account)}
     AND (NOT EXISTS (SELECT 1 FROM hidden h WHERE h.account_key = ${account}) OR ${isNotHidden(account)})`;

/** The fields of a participant that setChatState changes. */
export interface ChatState {
  pin_order: number | null;
  archived_key: number | null;
  is_marked_unread: number;
  folder_id: Uint8Array | null;
}
export const updateChatState = statement<
  never,
  [
    chat: number,
    account: number,
    pinOrder: number | null,
    archived: number | null,
    unread: number,
    folder: Uint8Array | null,
  ]
>(
  `UPDATE participants SET pin_order = $3, archived_key = $4, is_marked_unread = $5, folder_id = $6
   WHERE chat_key = $1 AND account_key = $2`,
);
export const setArchived = statement<never, [chat: number, account: number, key: number | null]>(
  'UPDATE participants SET archived_key = $3 WHERE chat_key = $1 AND account_key = $2',
);
export const unmarkUnread = statement<never, [chat: number, account: number]>(
  'UPDATE participants SET is_marked_unread = 0 WHERE chat_key = $1 AND account_key = $2 AND is_marked_unread = 1',
);
export const clearUpTo = statement<never, [chat: number, account: number, key: number]>(
  `UPDATE participants SET cleared_key = $3, is_marked_unread = 0
   WHERE chat_key = $1 AND account_key = $2 AND (cleared_key < $3 OR is_marked_unread = 1)`,
);

interface PinRow {
  chat_key: number;
  chat_id: Uint8Array;
  pin_order: number;
}
/** The conversations that an account has pinned, in the order of its list. */
export const pinsOfList = statement<PinRow, [account: number]>(
  `SELECT p.chat_key, c.id AS chat_id, p.pin_order FROM participants p JOIN chats c ON c.key = p.chat_key
   WHERE p.account_key = $1 AND p.pin_order IS NOT NULL ORDER BY p.pin_order DESC`,
);
export const setPinOrder = statement<never, [chat: number, account: number, pinOrder: number]>(
  'UPDATE participants SET pin_order = $3 WHERE chat_key = $1 AND account_key = $2',
);

export interface FolderRow {
  id: Uint8Array;
  name: string;
  /** A FolderRule as JSON. */
  rule: string | null;
}

export const foldersOf = statement<FolderRow, [account: number]>(
  'SELECT id, name, rule FROM folders WHERE account_key = $1 ORDER BY ordinal',
);
export const folderOf = statement<FolderRow, [account: number, id: Uint8Array]>(
  'SELECT id, name, rule FROM folders WHERE account_key = $1 AND id = $2',
);
export const countInFolder = statement<{ count: number }, [account: number, id: Uint8Array]>(
  'SELECT count(*) AS count FROM participants WHERE account_key = $1 AND folder_id = $2',
);
export const putFolder = statement<
  never,
  [account: number, id: Uint8Array, name: string, ordinal: number, rule: string | null]
>(
  `INSERT INTO folders (account_key, id, name, ordinal, rule) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (account_key, id) DO UPDATE SET name = excluded.name, ordinal = excluded.ordinal, rule = excluded.rule`,
);
export const deleteFolder = statement<never, [account: number, id: Uint8Array]>(
  'DELETE FROM folders WHERE account_key = $1 AND id = $2',
);
export const emptyFolder = statement<never, [account: number, id: Uint8Array]>(
  'UPDATE participants SET folder_id = NULL WHERE account_key = $1 AND folder_id = $2',
);
