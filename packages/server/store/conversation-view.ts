import { type Conversation, limits } from '@parley/protocol';
import { idText } from '../ids.ts';
import type { Renderable } from '../json.ts';
import { actorOf } from './accounts.ts';
import { channelsOf, type OwnChatRow, participantsAfter } from './chats.ts';
import { type LiveTexts, messageByKey, messageJson } from './messages.ts';
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

const newestMessage = statement<{ key: number | null }, [chat: number, after: number, account: number]>(
  `${timelines}
   SELECT max((SELECT m.key FROM messages m WHERE m.chat_key = $1 AND m.channel_key = t.channel_key
     AND m.thread_key = t.thread_key AND m.deleted_at IS NULL AND ${notHidden} ORDER BY m.key DESC LIMIT 1)) AS key
   FROM timelines t`,
);
/** The threads with the newest replies are enough to find the newest message. */
const recentThread = statement<{ last_key: number }, [chat: number]>(
  'SELECT last_key FROM threads WHERE chat_key = $1 ORDER BY last_key DESC LIMIT 1 OFFSET 8',
);
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
  const after = (await tx.get(recentThread, chat.key))?.last_key ?? 0;
  const newest = (await tx.get(newestMessage, chat.key, after, accountKey))?.key ?? null;
  const last = newest === null ? undefined : await tx.get(messageByKey, newest);
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
