// The messages of groups that are for one of the people there (READ-8), and how many of them the person has not read.
// The inbox is another table: its items go when they are done, these when they are read, and these follow edits.
import { isBlockedBy } from './blocks.ts';
import { isShownTo } from './chat-states.ts';
import type { OwnChatRow } from './chats.ts';
import { isChannelThere } from './newest-message.ts';
import { type Sql, statement } from './sql.ts';

interface OfAccount {
  account_key: number;
}

/** Maximum unread mentions that are counted and listed per conversation; the newest. */
const MAX_MENTIONS = 100;

/** Notes a message for the listed accounts, as far as they have not blocked its sender; returns those that are new. */
export const insertMentions = statement<OfAccount, [chat: number, message: number, sender: number]>(
  `INSERT INTO mentions (account_key, chat_key, message_key) SELECT a.key, $1, $2 FROM accounts a
   WHERE a.key IN (:list) AND NOT ${isBlockedBy('a', '$3')}
   ON CONFLICT (account_key, chat_key, message_key) DO NOTHING RETURNING account_key`,
);
export const mentionedBy = statement<OfAccount, [message: number]>(
  'SELECT account_key FROM mentions WHERE message_key = $1',
);
/** Forgets a message for the listed accounts. */
export const deleteMentions = statement<OfAccount, [chat: number, message: number]>(
  `DELETE FROM mentions WHERE account_key IN (:list) AND chat_key = $1 AND message_key = $2 RETURNING account_key`,
);
export const deleteMentionsIn = statement<never, [message: number]>('DELETE FROM mentions WHERE message_key = $1');
/** The participants for whom the message is an unread mention. */
export const mentionedUnread = statement<OfAccount, [message: number]>(
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

const unread = (what: string, account = '$1', chat = '$2', after = '$3'): string =>
  `SELECT ${what} FROM (SELECT message_key FROM mentions
     WHERE account_key = ${account} AND chat_key = ${chat} AND message_key > ${after}
     ORDER BY message_key DESC LIMIT ${MAX_MENTIONS}) x
   JOIN messages t ON t.key = x.message_key LEFT JOIN channels c ON c.key = t.channel_key
   LEFT JOIN messages r ON r.key = t.thread_key
   WHERE t.deleted_at IS NULL AND ${isChannelThere}
     AND ${isShownTo(account, 't')}`;
const readUpToSql = 'CASE WHEN p.cleared_key > p.read_key THEN p.cleared_key ELSE p.read_key END';
type Reader = [account: number, chat: number, after: number];
const countMentions = statement<{ count: number }, Reader>(unread('count(*) AS count'));
/** The numbers of the listed participants. */
export const countMentionsOf = statement<{ account_key: number; count: number }, [chat: number]>(
  `SELECT p.account_key, (${unread('count(*)', 'p.account_key', '$1', readUpToSql)}) AS count
   FROM participants p WHERE p.chat_key = $1 AND p.account_key IN (:list)`,
);
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
