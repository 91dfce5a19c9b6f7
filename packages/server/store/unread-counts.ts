import { isShownTo } from './chat-states.ts';
import { isNoNotice } from './messages.ts';
import type { OwnChatRow } from './chats.ts';
import { type ChannelNewest, isChannelThere } from './newest-message.ts';
import { type Sql, statement } from './sql.ts';

/** Maximum messages after the read marker that are read, in all timelines of a conversation together (CONV-9). */
const MAX_MESSAGES = 10_000;
/** Maximum threads that are read; those with the newest replies. */
const MAX_THREADS = 1_000;

interface Timeline {
  channel_key: number;
  root_key: number;
}

const threadsSince = statement<Timeline, [chat: number, readKey: number, limit: number]>(
  `SELECT t.channel_key, t.root_key FROM threads t
   WHERE t.chat_key = $1 AND t.last_key > $2 AND ${isChannelThere} ORDER BY t.last_key DESC LIMIT $3`,
);
// Every row that is read counts towards the limit, unread or not: the account's own messages may be a million.
const unreadIn = statement<
  { seen: number; unread: number },
  [chat: number, account: number, channel: number, thread: number, readKey: number, limit: number]
>(
  `SELECT count(*) AS seen, coalesce(sum(CASE WHEN s.sender_key <> $2 AND ${isNoNotice('s')}
     AND ${isShownTo('$2', 's')} THEN 1 ELSE 0 END), 0)
     AS unread
   FROM (SELECT m.key, m.sender_key, m.marks FROM messages m WHERE m.chat_key = $1 AND m.channel_key = $3
     AND m.thread_key = $4 AND m.deleted_at IS NULL AND m.key > $5 ORDER BY m.key DESC LIMIT $6) s`,
);

/** Unread messages by channel; 0 is #all, and the messages of a thread count for its channel (CONV-9). */
export const unreadByChannel = async (...given: Counted): Promise<Map<number, number>> =>
  (await countUnread(...given, MAX_MESSAGES)).unread;

type Counted = [
  tx: Sql,
  chat: Pick<OwnChatRow, 'key' | 'read_key' | 'cleared_key'>,
  accountKey: number,
  channels: readonly ChannelNewest[],
];

/** Like `unreadByChannel`, with a given limit. `isWhole` is false if the limit left out messages. */
export async function countUnread(
  tx: Sql,
  chat: Pick<OwnChatRow, 'key' | 'read_key' | 'cleared_key'>,
  accountKey: number,
  channels: readonly ChannelNewest[],
  most: number,
): Promise<{ unread: Map<number, number>; isWhole: boolean }> {
  const { key } = chat;
  const through = Math.max(chat.read_key, chat.cleared_key);
  const timelines: Timeline[] = [
    ...(await tx.all(threadsSince, key, through, Math.min(MAX_THREADS, most + 1))),
    ...channels
      .filter(({ newest_key }) => newest_key > through)
      .map(({ channel_key }) => ({ channel_key, root_key: 0 })),
  ];
  const unread = new Map<number, number>();
  let isWhole = timelines.length <= most;
  let left = most;
  // Each timeline may use an equal share of the rest, so later timelines get what earlier ones leave over. #all is
  // last.
  for (const [at, { channel_key, root_key }] of timelines.entries()) {
    const share = Math.floor(left / (timelines.length - at));
    const found = await tx.get(unreadIn, key, accountKey, channel_key, root_key, through, share);
    left -= found?.seen ?? 0;
    if (found && found.seen >= share) isWhole = false;
    unread.set(channel_key, (unread.get(channel_key) ?? 0) + (found?.unread ?? 0));
  }
  return { unread, isWhole };
}
