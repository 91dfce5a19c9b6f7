// Inboxes: the messages that each person is to look at (INBOX-1).
import { type InboxReason, limits } from '@parley/protocol';
import { isChannelMuted } from './channel-mutes.ts';
import { itemsToDecide } from './decisions.ts';
import { isVisibleTo, lightRecord, mark } from './messages.ts';
import { statement } from './sql.ts';

type Added = [chat: number, message: number, sender: number];
interface OfAccount {
  account_key: number;
}

// No item is about a message of an account that its person has blocked (INBOX-5).
const isNotBlocked = (reader: string, sender: string): string =>
  `NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_key = ${reader}
     AND b.blocked_key IN (${sender}, (SELECT s.parent_key FROM accounts s WHERE s.key = ${sender})))`;
const add = (reason: InboxReason, condition: string, thread = '0'): string =>
  `INSERT INTO inbox (account_key, message_key, chat_key, thread_key, reason)
   SELECT p.account_key, $2, p.chat_key, ${thread}, '${reason}'
   FROM participants p JOIN accounts a ON a.key = p.account_key
   WHERE p.chat_key = $1 AND p.account_key <> $3 AND a.kind = 'human' AND a.deleted_at IS NULL AND ${condition}
     AND ${isNotBlocked('p.account_key', '$3')}
   ON CONFLICT DO NOTHING RETURNING account_key`;

/** Items for the listed people. */
export const addMentionItems = statement<OfAccount, Added>(add('mention', 'p.account_key IN (:list)'));
/** An item for the author of the quoted message. */
export const addReplyItem = statement<OfAccount, [...Added, author: number]>(add('reply', 'p.account_key = $4'));
/** An item for the owner of the agent whose reply failed. */
export const addFailedItem = statement<OfAccount, [...Added, owner: number]>(add('failed_reply', 'p.account_key = $4'));
// The author of a thread's root and those of its newest messages follow it (INBOX-3).
const followers = (chat: string, channel: string, root: string, newest: string): string =>
  `SELECT r.sender_key FROM messages r WHERE r.key = ${root}
   UNION SELECT w.sender_key FROM (SELECT m.sender_key FROM messages m WHERE m.chat_key = ${chat}
     AND m.channel_key = ${channel} AND m.thread_key = ${root} AND m.deleted_at IS NULL
     ORDER BY m.key DESC LIMIT ${newest}) w`;

/** Items for the people who follow the thread, have muted neither its conversation nor its channel, and have no item for the thread. */
export const addThreadItems = statement<
  OfAccount,
  [...Added, channel: number, root: number, now: number, writers: number]
>(
  add(
    'thread',
    `(p.is_muted = 0 OR p.muted_until <= $6) AND NOT ${isChannelMuted('p.account_key', '$4', '$6')}
     AND p.account_key IN (${followers('$1', '$4', '$5', '$7')})`,
    '$5',
  ),
);
/** Deletes the followers' items of a thread that are no longer shown, so that its next message becomes one. */
export const dropHiddenOfThread = statement<never, [chat: number, channel: number, root: number, writers: number]>(
  `DELETE FROM inbox WHERE thread_key = $3 AND account_key IN (${followers('$1', '$2', '$3', '$4')})
   AND EXISTS (SELECT 1 FROM messages i WHERE i.key = inbox.message_key
     AND ((i.marks & ${mark.replaced}) <> 0 OR NOT ${isNotBlocked('inbox.account_key', 'i.sender_key')}))`,
);
/** SQL: the newest item that an account's inbox has no room for; 0 for none (INBOX-1). */
const newestLeftOut = (account: string): string =>
  `coalesce((SELECT o.message_key FROM inbox o WHERE o.account_key = ${account}
     ORDER BY o.message_key DESC LIMIT 1 OFFSET ${limits.inboxItems}), 0)`;
/** Deletes the items of the listed accounts that their inboxes no longer show. */
export const pruneInboxes = statement<OfAccount>(
  // The newest is looked for once for each account, not for each of its items.
  `DELETE FROM inbox WHERE (account_key, message_key) IN (SELECT o.account_key, o.message_key
     FROM (SELECT a.key, ${newestLeftOut('a.key')} AS left_out FROM accounts a WHERE a.key IN (:list) ORDER BY a.key) l
     JOIN inbox o ON o.account_key = l.key AND o.message_key <= l.left_out) RETURNING account_key`,
);

export interface InboxRow {
  key: number;
  sender_key: number;
  reason: InboxReason;
  is_unread: number;
  record: string | null;
}
/** SQL: the items of an account's inbox: its rows, and the open decisions that it may decide, which are one each (INBOX-11). */
const items = `(WITH asked AS (${itemsToDecide('$1')})
   SELECT n.account_key, n.message_key, n.chat_key, n.reason FROM inbox n
   WHERE n.account_key = $1 AND n.message_key > ${newestLeftOut('$1')} AND NOT EXISTS (SELECT 1 FROM asked k WHERE k.message_key = n.message_key)
   UNION ALL SELECT account_key, message_key, chat_key, reason FROM asked)`;
/** An item is left out while its person may not see the message, or the failed reply has a newer version. */
const shownItems = `FROM ${items} i JOIN participants p ON p.chat_key = i.chat_key AND p.account_key = i.account_key
   JOIN messages m ON m.key = i.message_key
   WHERE i.account_key = $1 AND ${isVisibleTo('$1')} AND (m.marks & ${mark.replaced}) = 0
     AND (i.reason <> 'failed_reply' OR m.status = 'failed') AND ${isNotBlocked('$1', 'm.sender_key')}`;
/** Items before a position, newest first. */
export const inboxBefore = statement<InboxRow, [account: number, before: number, limit: number]>(
  `SELECT m.key, m.sender_key, i.reason, CASE WHEN m.key > p.read_key THEN 1 ELSE 0 END AS is_unread, ${lightRecord}
   ${shownItems} AND i.message_key < $2 ORDER BY i.message_key DESC LIMIT $3`,
);
export const countUnreadItems = statement<{ count: number }, [account: number]>(
  `SELECT count(*) AS count ${shownItems} AND i.message_key > p.read_key`,
);
/** Of some conversations only. */
export const countUnreadItemsIn = statement<{ count: number }, [account: number]>(
  `SELECT count(*) AS count ${shownItems} AND i.message_key > p.read_key
     AND i.chat_key IN (SELECT key FROM chats WHERE id IN (:list))`,
);
/** The items of an account, by message. */
export const itemsOf = statement<{ id: Uint8Array; reason: InboxReason }, [account: number]>(
  `SELECT m.id, i.reason FROM inbox i JOIN messages m ON m.key = i.message_key
   WHERE i.account_key = $1 ORDER BY i.message_key`,
);

export const dropItems = statement<never, [account: number]>(
  'DELETE FROM inbox WHERE account_key = $1 AND message_key IN (SELECT key FROM messages WHERE id IN (:list)) RETURNING 1',
);
export const dropItemsThrough = statement<never, [account: number, position: number]>(
  'DELETE FROM inbox WHERE account_key = $1 AND message_key <= $2',
);
export const dropItem = statement<never, [account: number, message: number]>(
  'DELETE FROM inbox WHERE account_key = $1 AND message_key = $2',
);
export const dropItemsInChat = statement<never, [account: number, chat: number]>(
  'DELETE FROM inbox WHERE account_key = $1 AND chat_key = $2',
);
export const dropItemsAbout = statement<never, [message: number]>('DELETE FROM inbox WHERE message_key = $1');
