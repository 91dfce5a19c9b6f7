// The messages of groups that are for one of the people there (READ-8), and how many of them the person has not read.
// The inbox is another table: its items go when they are done, these when they are read, and these follow edits.
import { isShownTo } from './chat-states.ts';
import type { OwnChatRow } from './chats.ts';
import { isChannelThere } from './newest-message.ts';
import { type Sql, statement } from './sql.ts';

/** Maximum unread mentions that are counted and listed per conversation; the newest. */
const MAX_MENTIONS = 100;

export const insertMention = statement<never, [account: number, chat: number, message: number]>(
  `INSERT INTO mentions (account_key, chat_key, message_key) VALUES ($1, $2, $3)
   ON CONFLICT (account_key, chat_key, message_key) DO NOTHING`,
);
export const deleteMention = statement<never, [account: number, chat: number, message: number]>(
  'DELETE FROM mentions WHERE account_key = $1 AND chat_key = $2 AND message_key = $3',
);
export const deleteMentionsIn = statement<never, [message: number]>('DELETE FROM mentions WHERE message_key = $1');
/** The participants for whom the message is an unread mention. */
export const mentionedUnread = statement<{ account_key: number }, [message: number]>(
  `SELECT x.account_key FROM mentions x
   JOIN participants p ON p.chat_key = x.chat_key AND p.account_key = x.account_key
     AND p.read_key < x.message_key AND p.cleared_key < x.message_key
   WHERE x.message_key = $1`,
);

interface MentionRow {
  key: number;
  id: Uint8Array;
  channel_id: Uint8Array | null;
  root_id: Uint8Array | null;
}

const unread = (what: string): string =>
  `SELECT ${what} FROM (SELECT message_key FROM mentions WHERE account_key = $1 AND chat_key = $2 AND message_key > $3
     ORDER BY message_key DESC LIMIT ${MAX_MENTIONS}) x
   JOIN messages t ON t.key = x.message_key LEFT JOIN channels c ON c.key = t.channel_key
   LEFT JOIN messages r ON r.key = t.thread_key
   WHERE t.deleted_at IS NULL AND ${isChannelThere}
     AND ${isShownTo('$1', 't')}`;
type Reader = [account: number, chat: number, after: number];
const countMentions = statement<{ count: number }, Reader>(unread('count(*) AS count'));
const mentionsUnread = statement<MentionRow, Reader>(
  `${unread('t.key, t.id, c.id AS channel_id, r.id AS root_id')} ORDER BY t.key`,
);

type Chat = Pick<OwnChatRow, 'key' | 'kind' | 'read_key' | 'cleared_key'>;
/** Messages that the account has read, or cleared for itself, are no unread mentions. */
const readUpTo = ({ read_key, cleared_key }: Chat): number => Math.max(read_key, cleared_key);

/** The number of unread mentions of an account in a group; a direct chat has none (READ-8). */
export const countUnreadMentions = async (tx: Sql, chat: Chat, accountKey: number): Promise<number> =>
  chat.kind === 'direct' ? 0 : ((await tx.get(countMentions, accountKey, chat.key, readUpTo(chat)))?.count ?? 0);

/** The unread mentions that are counted, oldest first (READ-10). */
export const unreadMentions = async (tx: Sql, chat: Chat, accountKey: number): Promise<MentionRow[]> =>
  chat.kind === 'direct' ? [] : tx.all(mentionsUnread, accountKey, chat.key, readUpTo(chat));
