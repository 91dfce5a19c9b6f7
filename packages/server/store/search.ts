import { isShownTo } from './chat-states.ts';
import { isNoNotice, lightRecord } from './messages.ts';
import { type Awaitable, type Sql, statement } from './sql.ts';

const noteChange = statement<never, [message: number]>('INSERT INTO search_changes (message_key) VALUES ($1)');

/**
 * Notes for the search index that the text of a stored message has changed or was deleted. The unit that changes it
 * must call this: an edit, the end of a reply, a deletion. A new message needs no call.
 */
export const reindexMessage = (tx: Sql, messageKey: number): Awaitable<number> => tx.run(noteChange, messageKey);

interface SearchChange {
  key: number;
  message_key: number;
}

export const changesAfter = statement<SearchChange, [after: number, limit: number]>(
  'SELECT key, message_key FROM search_changes WHERE key > $1 ORDER BY key LIMIT $2',
);
export const changesBetween = statement<SearchChange, [after: number, first: number, last: number]>(
  'SELECT key, message_key FROM search_changes WHERE key > $1 AND message_key >= $2 AND message_key <= $3',
);
export const endsOfChanges = statement<{ first: number | null; last: number | null }>(
  `SELECT (SELECT key FROM search_changes ORDER BY key LIMIT 1) AS first,
     (SELECT key FROM search_changes ORDER BY key DESC LIMIT 1) AS last`,
);
/** Deletes the changes before the given one, which is kept. */
export const forgetChanges = statement<never, [key: number]>('DELETE FROM search_changes WHERE key < $1');

export const newestMessageKey = statement<{ key: number | null }>('SELECT max(key) AS key FROM messages');
export const messageIdOf = statement<{ id: Uint8Array }, [key: number]>('SELECT id FROM messages WHERE key = $1');

/** Notices, open replies and deleted messages are not searched. */
const isSearched = `m.deleted_at IS NULL AND m.status <> 'streaming' AND ${isNoNotice('m')}`;

export interface IndexedRow {
  key: number;
  chat_key: number;
  sender_key: number;
  marks: number;
  bytes: number;
  /** As in a `Light` row. */
  record: string | null;
}

/** The searchable messages of a range of keys, without large records. */
export const indexedBetween = statement<IndexedRow, [first: number, last: number]>(
  `SELECT m.key, m.chat_key, m.sender_key, m.marks, octet_length(m.record) AS bytes, ${lightRecord} FROM messages m
   WHERE m.key >= $1 AND m.key <= $2 AND ${isSearched} ORDER BY m.key`,
);
export const recordByKey = statement<{ record: string }, [key: number]>('SELECT record FROM messages WHERE key = $1');

export interface FoundRow {
  key: number;
  chat_key: number;
  /** As in a `Light` row. */
  record: string | null;
}

/**
 * SQL: the account ($3) may see message `m` now; limited to a conversation ($4), a sender ($5) and messages with marks
 * ($6), unless these are 0.
 */
// No join with the participants: an engine would then read all messages of all the account's conversations.
export const mayBeFound = `(CAST($4 AS BIGINT) = 0 OR m.chat_key = $4)
     AND (CAST($5 AS BIGINT) = 0 OR m.sender_key = $5)
     AND (m.marks & CAST($6 AS BIGINT)) = CAST($6 AS BIGINT) AND ${isSearched}
     AND EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = m.chat_key AND p.account_key = $3
       AND p.cleared_key < m.key)
     AND ${isShownTo('$3')}
     AND (m.channel_key = 0
       OR EXISTS (SELECT 1 FROM channels c WHERE c.key = m.channel_key AND c.deleted_at IS NULL))`;

/** The messages of a range of keys that the account may find, newest first, without large records. */
export const searchedBetween = statement<
  FoundRow,
  [first: number, last: number, account: number, chat: number, sender: number, marks: number]
>(
  `SELECT m.key, m.chat_key, ${lightRecord} FROM messages m WHERE m.key >= $1 AND m.key <= $2 AND ${mayBeFound}
   ORDER BY m.key DESC`,
);
