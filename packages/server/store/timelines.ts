// Statements that read the messages of a timeline: pages of its history, and the context of agents.
import { isKeptBy, isKeptFrom } from './chat-states.ts';
import { isHeard, isPublic } from './marks.ts';
import { isNoNotice, type Light, lightColumns, mark, messageColumns, type MessageRow } from './messages.ts';
import { statement } from './sql.ts';

type TimelinePart = [chat: number, channel: number, thread: number, account: number, key: number, limit: number];

/** The newest message of a human in a timeline, if it is among the last 500; service notices and private ones do not count. */
export const newestOfHumans = statement<{ key: number }, [chat: number, channel: number, thread: number]>(
  `SELECT r.key FROM (
     SELECT m.key, m.sender_key FROM messages m WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3
       AND m.deleted_at IS NULL AND ${isNoNotice('m')} AND ${isPublic('m')}
     ORDER BY m.key DESC LIMIT 500) r
   JOIN accounts a ON a.key = r.sender_key WHERE a.kind = 'human' ORDER BY r.key DESC LIMIT 1`,
);
/** The oldest messages of humans in a conversation, before a key; service notices do not count. */
export const oldestOfHumans = statement<{ record: string }, [chat: number, before: number]>(
  `SELECT m.record FROM messages m JOIN accounts a ON a.key = m.sender_key
   WHERE m.chat_key = $1 AND m.key < $2 AND m.deleted_at IS NULL AND a.kind = 'human' AND ${isNoNotice('m')} AND ${isHeard('m')}
   ORDER BY m.key LIMIT 50`,
);
/** SQL: a model may receive message `m`: not deleted, failed, open or a service notice (CONTEXT-10), nor kept from models (DECIDE-12). */
export const isContext = `m.deleted_at IS NULL AND m.status IN ('complete', 'cancelled') AND ${isNoNotice('m')}
     AND ${isHeard('m')}`;
export const contextRow = statement<MessageRow, [key: number]>(
  `SELECT ${messageColumns} FROM messages m WHERE m.key = $1 AND ${isContext}`,
);
/** The messages before `through` and that one; of the versions of a reply only the current one (REGEN-6). */
export const contextRows = statement<
  MessageRow,
  [chat: number, channel: number, thread: number, through: number, limit: number]
>(
  `SELECT ${messageColumns} FROM messages m WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3
     AND m.key <= $4 AND ((m.marks & ${mark.replaced}) = 0 OR m.key = $4)
     AND ${isContext} ORDER BY m.key DESC LIMIT $5`,
);
/** How long the records of the newest messages are that `contextRows` returns, and whether one has a file. */
export const contextSize = statement<
  { messages: number; bytes: number | null; with_files: number | null },
  [chat: number, channel: number, thread: number, through: number, limit: number]
>(
  `SELECT count(*) AS messages, CAST(sum(bytes) AS BIGINT) AS bytes, CAST(sum(has_files) AS BIGINT) AS with_files FROM (
     SELECT octet_length(m.record) AS bytes, CASE WHEN (m.marks & ${mark.media | mark.files}) = 0 THEN 0 ELSE 1 END AS has_files
     FROM messages m WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3 AND m.key <= $4
       AND ((m.marks & ${mark.replaced}) = 0 OR m.key = $4) AND ${isContext} ORDER BY m.key DESC LIMIT $5) AS newest`,
);
const inTimeline = `SELECT ${lightColumns} FROM messages m
  WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3 AND m.deleted_at IS NULL`;
/** Messages of a timeline that the account may see, before a key, newest first. */
export const visibleBefore = statement<Light<MessageRow>, TimelinePart>(
  `${inTimeline} AND ${isKeptBy('$4', '$1')} AND m.key < $5 ORDER BY m.key DESC LIMIT $6`,
);
/** Messages of a timeline that the account may see, from a key on, oldest first. */
export const visibleFrom = statement<Light<MessageRow>, TimelinePart>(
  `${inTimeline} AND ${isKeptFrom('$5', '$4', '$1')} ORDER BY m.key LIMIT $6`,
);
