import { type Conversation, limits } from '@parley/protocol';
import { idText } from '../ids.ts';
import type { Renderable } from '../json.ts';
import { actorOf } from './accounts.ts';
import { type ChannelRow, channelsOf, type OwnChatRow, participantsAfter } from './chats.ts';
import { type LiveTexts, messageColumns, messageJson, type MessageRow } from './messages.ts';
import { type Sql, statement } from './sql.ts';

/** More unread messages of a timeline than this are not counted (CONV-9). */
const COUNTED_UNREAD = 10_000;

// The timelines of a conversation that may hold something behind $2: #all, the channels, the threads with a reply since.
const timelines = `WITH timelines (channel_key, thread_key) AS (
    SELECT 0, 0
    UNION ALL SELECT key, 0 FROM channels WHERE chat_key = $1 AND deleted_at IS NULL
    UNION ALL SELECT t.channel_key, t.root_key FROM threads t WHERE t.chat_key = $1 AND t.last_key > $2
      AND (t.channel_key = 0 OR t.channel_key IN (SELECT key FROM channels WHERE chat_key = $1 AND deleted_at IS NULL)))`;
const notHidden = 'NOT EXISTS (SELECT 1 FROM hidden h WHERE h.account_key = $3 AND h.message_key = m.key)';

const unreadByChannel = statement<
  { channel_key: number; unread: number },
  [chat: number, readKey: number, account: number]
>(
  `${timelines}
   SELECT t.channel_key, (SELECT count(*) FROM (
     SELECT 1 FROM messages m WHERE m.chat_key = $1 AND m.channel_key = t.channel_key AND m.thread_key = t.thread_key
       AND m.deleted_at IS NULL AND m.key > $2 AND m.sender_key <> $3 AND (m.marks & 4) = 0 AND ${notHidden}
     LIMIT ${COUNTED_UNREAD}) AS counted) AS unread
   FROM timelines t`,
);

const newestOfTimeline = statement<MessageRow, [chat: number, channel: number, account: number, thread: number]>(
  `SELECT ${messageColumns} FROM messages m WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $4
     AND m.deleted_at IS NULL AND ${notHidden} ORDER BY m.key DESC LIMIT 1`,
);
const threadsBehind = statement<
  { root_key: number; channel_key: number; last_key: number },
  [chat: number, after: number, before: number, limit: number]
>(
  `SELECT root_key, channel_key, last_key FROM threads
   WHERE chat_key = $1 AND last_key > $2 AND last_key < $3 ORDER BY last_key DESC LIMIT $4`,
);
const THREADS_AT_ONCE = 8;
const messageIdByKey = statement<{ id: Uint8Array }, [key: number]>('SELECT id FROM messages WHERE key = $1');
const pinnedIds = statement<{ id: Uint8Array }, [chat: number]>(
  `SELECT m.id FROM pins p JOIN messages m ON m.key = p.message_key WHERE p.chat_key = $1 ORDER BY p.ordinal DESC`,
);

/** The Conversation as the account sees it at `now` (CONV-1). */
export async function conversationView(
  tx: Sql,
  chat: OwnChatRow,
  accountKey: number,
  now: number,
  live?: LiveTexts,
): Promise<Renderable<Conversation>> {
  const participants = await tx.all(participantsAfter, chat.key, 0, limits.shownParticipants);
  const channels = chat.kind === 'group' ? await tx.all(channelsOf, chat.key) : [];
  const unread = await tx.all(unreadByChannel, chat.key, chat.read_key, accountKey);
  const unreadOf = (channelKey: number) =>
    unread.filter((line) => line.channel_key === channelKey).reduce((sum, line) => sum + line.unread, 0);
  const last = await newestMessage(tx, chat.key, channels, accountKey);
  const readMarker = chat.read_key === 0 ? undefined : await tx.get(messageIdByKey, chat.read_key);
  const mutedUntil = chat.muted_until;
  const isMuted = chat.is_muted === 1 && (mutedUntil === null || mutedUntil > now);
  return {
    id: idText(chat.id),
    kind: chat.kind,
    title: chat.title,
    participants: participants.map((row) => ({ ...actorOf(row), role: row.role })),
    participant_count: chat.participant_count,
    channels: channels.map((row) => ({ id: idText(row.id), title: row.title, unread_count: unreadOf(row.key) })),
    pinned_message_ids: (await tx.all(pinnedIds, chat.key)).map(({ id }) => idText(id)),
    is_muted: isMuted,
    muted_until: isMuted && mutedUntil !== null ? new Date(mutedUntil).toISOString() : undefined,
    unread_count: unread.reduce((sum, line) => sum + line.unread, 0),
    last_read_message_id: readMarker ? idText(readMarker.id) : null,
    last_message: last ? await messageJson(tx, last, live) : null,
    created_at: new Date(chat.created_at).toISOString(),
    updated_at: new Date(chat.updated_at).toISOString(),
  };
}

/** The newest message of all timelines that the account may see. */
async function newestMessage(
  tx: Sql,
  chatKey: number,
  channels: readonly ChannelRow[],
  accountKey: number,
): Promise<MessageRow | undefined> {
  const isShown = (channelKey: number) => channelKey === 0 || channels.some(({ key }) => key === channelKey);
  let newest: MessageRow | undefined;
  for (const channelKey of [0, ...channels.map(({ key }) => key)])
    newest = newer(newest, await tx.get(newestOfTimeline, chatKey, channelKey, accountKey, 0));
  // Threads that had a reply since, newest first: none behind can hold anything newer than what is found.
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const threads = await tx.all(threadsBehind, chatKey, newest?.key ?? 0, before, THREADS_AT_ONCE);
    for (const { root_key, channel_key } of threads)
      if (isShown(channel_key))
        newest = newer(newest, await tx.get(newestOfTimeline, chatKey, channel_key, accountKey, root_key));
    const last = threads.at(-1);
    if (!last || threads.length < THREADS_AT_ONCE) return newest;
    before = last.last_key;
  }
}

const newer = (a: MessageRow | undefined, b: MessageRow | undefined): MessageRow | undefined =>
  !a || (b && b.key > a.key) ? b : a;
