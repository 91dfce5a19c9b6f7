import { isKeptBy, isReadableBy } from './chat-states.ts';
import { isPublic } from './marks.ts';
import type { Message, MessageStatus, StoredField } from '@parley/protocol';
import { type Awaitable, type Sql, statement } from './sql.ts';

export { isNoNotice, mark } from './marks.ts';

export interface MessageRow {
  key: number;
  id: Uint8Array;
  chat_key: number;
  channel_key: number;
  thread_key: number;
  sender_key: number;
  status: MessageStatus;
  marks: number;
  created_at: number;
  deleted_at: number | null;
  record: string;
}

/** A list as it is stored: nobody changes it. */
type AsStored<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

type Stored<Fields> = { [Name in keyof Fields]: AsStored<Fields[Name]> };
type StoredFields = Omit<Pick<Message, StoredField>, 'forwarded_from'>;

/** The stored JSON: the fields of the wire Message that are declared as stored. */
export interface MessageRecord extends Stored<StoredFields> {
  /** For a forwarded message (mark `forwarded`): the key of the original author, and the time of the original. */
  forwarded_from?: { sender: number; created_at: string } | undefined;
}

/** The columns that are needed to render a message. */
export interface ShownRow extends Pick<
  MessageRow,
  'key' | 'sender_key' | 'status' | 'marks' | 'deleted_at' | 'record'
> {
  /** The sender's Account as JSON text, if it was read together with the message. */
  sender?: string;
}

/**
 * A row whose record is null if it is large. Statements that read many rows leave large records out, because a page
 * holds only a few of those; they are read one by one when they are rendered.
 */
export type Light<Row extends { record: string }> = Omit<Row, 'record'> & { record: string | null };
/** SQL: the record of a light row. */
export const lightRecord = `CASE WHEN octet_length(m.record) <= 8192 THEN m.record END AS record`;
/** True if the record was read with the row. */
export const isWhole = <Row extends { record: string | null }>(row: Row): row is Row & { record: string } =>
  row.record !== null;

const shownColumns = 'm.key, m.sender_key, m.status, m.marks, m.deleted_at';
export const shownByKey = statement<ShownRow, [key: number]>(
  `SELECT ${shownColumns}, m.record FROM messages m WHERE m.key = $1`,
);
const headColumns =
  'm.key, m.id, m.chat_key, m.channel_key, m.thread_key, m.sender_key, m.status, m.marks, m.created_at, m.deleted_at';
export const messageColumns = `${headColumns}, m.record`;
/** The columns of a Light<MessageRow>. */
export const lightColumns = `${headColumns}, ${lightRecord}`;

/**
 * The message, deleted or not; no row for an account for which it does not exist, because it is private (DECIDE-9). The
 * caller checks the rest: that the account takes part, and what it has hidden.
 */
export const messageById = statement<MessageRow, [id: Uint8Array, account: number]>(
  `SELECT ${messageColumns} FROM messages m WHERE m.id = $1 AND ${isReadableBy('$2')}`,
);
/** Like `messageById`. */
export const lightById = statement<Light<MessageRow>, [id: Uint8Array, account: number]>(
  `SELECT ${lightColumns} FROM messages m WHERE m.id = $1 AND ${isReadableBy('$2')}`,
);
export const messageByKey = statement<MessageRow, [key: number]>(
  `SELECT ${messageColumns} FROM messages m WHERE m.key = $1`,
);
/** The replies of a chain of firings that began with a message, oldest first. */
export const repliesOfChain = statement<MessageRow, [rootMessage: number]>(
  `SELECT ${messageColumns} FROM turns t JOIN messages m ON m.key = t.reply_key
   WHERE t.root_message_key = $1 AND m.deleted_at IS NULL ORDER BY m.key`,
);
/** Any message, also one that does not exist for the caller, who asks `isVisible` next. */
export const lightByIdOfAny = statement<Light<MessageRow>, [id: Uint8Array]>(
  `SELECT ${lightColumns} FROM messages m WHERE m.id = $1`,
);
/** The row with its record; undefined if the row no longer exists. */
export const wholeMessage = (tx: Sql, row: Light<MessageRow>): Awaitable<MessageRow | undefined> =>
  isWhole(row) ? row : tx.get(messageByKey, row.key);
export const chatOfMessage = statement<{ chat_key: number }, [key: number]>(
  'SELECT chat_key FROM messages WHERE key = $1',
);
export const messageIdByKey = statement<{ id: Uint8Array }, [key: number]>('SELECT id FROM messages WHERE key = $1');
// Ids begin with the time, so the index of ids finds the first message since a given time.
export const firstSince = statement<{ key: number }, [id: Uint8Array]>(
  'SELECT key FROM messages WHERE id >= $1 ORDER BY id LIMIT 1',
);
export const messageByClientId = statement<
  MessageRow & { payload_digest: Uint8Array | null },
  [clientMsgId: string, sender: number, chat: number]
>(
  `SELECT ${messageColumns}, m.payload_digest FROM messages m
   WHERE m.client_msg_id = $1 AND m.sender_key = $2 AND m.chat_key = $3`,
);
export const insertMessage = statement<
  { key: number },
  [
    id: Uint8Array,
    chat: number,
    channel: number,
    thread: number,
    sender: number,
    status: MessageStatus,
    marks: number,
    now: number,
    clientMsgId: string | null,
    digest: Uint8Array | null,
    record: string,
  ]
>(
  `INSERT INTO messages (id, chat_key, channel_key, thread_key, sender_key, status, marks, created_at, client_msg_id, payload_digest, record)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING key`,
);
export const updateMessage = statement<never, [key: number, status: MessageStatus, record: string]>(
  'UPDATE messages SET status = $2, record = $3 WHERE key = $1',
);
export const markMessage = statement<never, [key: number, marks: number]>(
  'UPDATE messages SET marks = marks | $2 WHERE key = $1 AND (marks & $2) = 0',
);
export const buryMessage = statement<never, [key: number, status: MessageStatus, record: string, now: number]>(
  'UPDATE messages SET status = $2, record = $3, deleted_at = $4 WHERE key = $1',
);
export const noteReply = statement<never, [root: number, chat: number, channel: number, last: number, now: number]>(
  `INSERT INTO threads (root_key, chat_key, channel_key, reply_count, last_key, last_at) VALUES ($1, $2, $3, 1, $4, $5)
   ON CONFLICT (root_key) DO UPDATE SET reply_count = threads.reply_count + 1, last_key = excluded.last_key, last_at = excluded.last_at`,
);
/** A private reply: its thread counts it for nobody, but its readers have it unread (DECIDE-9). */
export const notePrivateReply = statement<
  never,
  [root: number, chat: number, channel: number, last: number, now: number]
>(
  `INSERT INTO threads (root_key, chat_key, channel_key, reply_count, last_key, last_at) VALUES ($1, $2, $3, 0, $4, $5)
   ON CONFLICT (root_key) DO UPDATE SET last_key = excluded.last_key`,
);
const newestReply = (column: string, condition = ''): string =>
  `coalesce((SELECT m.${column} FROM messages m WHERE m.chat_key = threads.chat_key AND m.thread_key = threads.root_key
     AND m.channel_key = threads.channel_key AND m.deleted_at IS NULL ${condition} ORDER BY m.key DESC LIMIT 1), 0)`;
/** Removes a deleted reply from the thread's newest reply, and from its count (1) if that counted it (MSG-14). */
export const uncountReply = statement<never, [root: number, counted: number]>(
  `UPDATE threads SET reply_count = reply_count - $2, last_key = ${newestReply('key')}, last_at = ${newestReply('created_at', `AND ${isPublic('m')}`)}
   WHERE root_key = $1`,
);
export interface ThreadRow {
  reply_count: number;
  last_at: number;
}
export const threadOf = statement<ThreadRow, [root: number]>(
  'SELECT reply_count, last_at FROM threads WHERE root_key = $1',
);

export const recordOf = (row: Pick<MessageRow, 'record'>): MessageRecord => JSON.parse(row.record);
/**
 * What a search finds a message by: its text, and below it the titles of its sources (PART-14), the names of its files
 * (SEARCH-19) and what was heard in its voice messages (TRANSCRIPT-2).
 */
export function searchedText(record: string): string {
  const { content, parts = [], attachments } = recordOf({ record });
  const titles = parts.flatMap((part) => (part.type === 'source' && part.title ? [part.title] : []));
  const transcripts = attachments.flatMap(({ transcript }) => transcript || []);
  const names = attachments.flatMap(({ id, name }) => (id !== undefined && name) || []);
  return [content, ...titles, ...names, ...transcripts].join('\n');
}

/** SQL, for a participant: message `m` is neither deleted, hidden nor cleared, and its channel exists. */
export const isVisibleTo = (account: string, isKept = isKeptBy(account)): string =>
  `m.deleted_at IS NULL
     AND ${isKept}
     AND (m.channel_key = 0
       OR EXISTS (SELECT 1 FROM channels c WHERE c.key = m.channel_key AND c.deleted_at IS NULL))`;
/** The listed messages that the account may see. */
export const shownAmong = statement<Light<ShownRow>, [account: number]>(
  `SELECT ${shownColumns}, ${lightRecord} FROM messages m WHERE m.key IN (:list) AND ${isVisibleTo('$1')}`,
);
/** The status of a message; no row if the account may not see the message at this moment. */
export const visibleStatus = statement<{ status: MessageStatus }, [message: number, account: number]>(
  `SELECT m.status FROM messages m JOIN participants p ON p.chat_key = m.chat_key AND p.account_key = $2
   WHERE m.key = $1 AND ${isVisibleTo('$2')}`,
);

/** The listed messages that have ended and that the account may see at this moment. */
// No join with the participants: an engine would then read all messages of all the account's conversations.
export const foundAmong = statement<MessageRow, [account: number]>(
  `SELECT ${messageColumns} FROM messages m WHERE m.key IN (:list) AND m.status <> 'streaming' AND ${isVisibleTo('$1')}
     AND EXISTS (SELECT 1 FROM participants p WHERE p.chat_key = m.chat_key AND p.account_key = $1)`,
);

/** Finds the message unless the account has hidden or cleared it. */
export const isKept = statement<{ found: number }, [account: number, message: number]>(
  `SELECT 1 AS found FROM messages m WHERE m.key = $2 AND ${isKeptBy('$1')}`,
);
export const hideMessage = statement<never, [account: number, message: number]>(
  'INSERT INTO hidden (account_key, message_key) VALUES ($1, $2) ON CONFLICT (account_key, message_key) DO NOTHING',
);

export const chatsOfMessages = statement<{ id: Uint8Array; chat_id: Uint8Array; sender: string }>(
  `SELECT m.id, c.id AS chat_id, a.username AS sender
   FROM messages m JOIN chats c ON c.key = m.chat_key JOIN accounts a ON a.key = m.sender_key WHERE m.id IN (:list)`,
);

export const stateOfMessage = statement<
  {
    id: Uint8Array;
    deleted_at: number | null;
    status: string;
    marks: number;
    channel_key: number;
    sender_key: number;
  },
  [key: number]
>('SELECT id, deleted_at, status, marks, channel_key, sender_key FROM messages WHERE key = $1');
