// How far people have read a conversation, as the others there may know (READ-12).
import { isReadableBy } from './chat-states.ts';
import { isPublic } from './marks.ts';
import { type Sql, statement } from './sql.ts';

/** Moves a person's receipt, unless the person does not share receipts. */
export const advanceReceipt = statement<never, [chat: number, account: number, message: number]>(
  `UPDATE participants SET receipt_key = $3 WHERE chat_key = $1 AND account_key = $2 AND receipt_key < $3
     AND NOT EXISTS (SELECT 1 FROM privacy v WHERE v.account_key = $2 AND v.read_receipts = 0)`,
);

/** The newest message of a private one's timeline, before it, that exists for everybody. */
export const newestPublic = statement<{ key: number }, [chat: number, channel: number, thread: number, before: number]>(
  `SELECT m.key FROM messages m WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3 AND m.key < $4
     AND m.deleted_at IS NULL AND ${isPublic('m')} ORDER BY m.key DESC LIMIT 1`,
);

interface Receipt {
  account_key: number;
  receipt_key: number;
}

/** The receipts of a conversation, those of the people who have read furthest first. */
export const newestReceipts = statement<Receipt, [chat: number, limit: number]>(
  `SELECT account_key, receipt_key FROM participants WHERE chat_key = $1 AND receipt_key > 0
   ORDER BY receipt_key DESC, account_key LIMIT $2`,
);

/** The participants who may not see receipts: agents, and people who do not share their own. */
export const withoutReceipts = statement<{ account_key: number }, [chat: number]>(
  `SELECT p.account_key FROM participants p JOIN accounts a ON a.key = p.account_key
   LEFT JOIN privacy v ON v.account_key = p.account_key WHERE p.chat_key = $1
     AND (a.kind = 'agent' OR v.read_receipts = 0)`,
);

/** The participants of a conversation who have blocked one of these readers, or are blocked by one. */
export const blocksWith = statement<{ reader_key: number; other_key: number }, [chat: number]>(
  `SELECT b.account_key AS reader_key, b.blocked_key AS other_key FROM blocks b
   JOIN participants p ON p.chat_key = $1 AND p.account_key = b.blocked_key WHERE b.account_key IN (:list)`,
);
export const blocksAgainst = statement<{ reader_key: number; other_key: number }, [chat: number]>(
  `SELECT b.blocked_key AS reader_key, b.account_key AS other_key FROM participants p
   JOIN blocks b ON b.account_key = p.account_key AND b.blocked_key IN (:list) WHERE p.chat_key = $1`,
);

/** SQL: neither `$2` nor the participant `p` has blocked the other. */
const noBlock = `NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_key = $2 AND b.blocked_key = p.account_key)
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_key = p.account_key AND b.blocked_key = $2)`;
/** In a direct chat a block stops receipts (READ-12); those of before stay, because their end would show the block. */
const mayKnow = `(c.kind = 'direct' OR (${noBlock}))`;
/** SQL: message `$3` exists for the participant `p` (DECIDE-9). */
const isReader = `EXISTS (SELECT 1 FROM messages m WHERE m.key = $3 AND ${isReadableBy('p.account_key')})`;
const readers = (what: string, where: string): string =>
  `SELECT ${what} FROM participants p JOIN chats c ON c.key = p.chat_key JOIN accounts a ON a.key = p.account_key
   WHERE p.chat_key = $1 AND p.account_key <> $2 AND ${where} AND ${mayKnow}`;

const furthest = statement<{ receipt_key: number }, [chat: number, account: number]>(
  `${readers('p.receipt_key', 'p.receipt_key > 0')} ORDER BY p.receipt_key DESC LIMIT 1`,
);
/** The position up to which somebody else has read, as the account may know; 0 for none. */
export const readByOthers = async (tx: Sql, chatKey: number, accountKey: number): Promise<number> =>
  (await tx.get(furthest, chatKey, accountKey))?.receipt_key ?? 0;

interface ReaderRow {
  account_key: number;
  username: string;
  kind: 'human' | 'agent';
  display_name: string;
}
/** A page of the people who have read a message of the account. */
export const readersOf = statement<
  ReaderRow,
  [chat: number, account: number, message: number, after: number, limit: number]
>(
  `${readers('p.account_key, a.username, a.kind, a.display_name', `p.receipt_key >= $3 AND p.account_key > $4 AND ${isReader}`)}
   ORDER BY p.account_key LIMIT $5`,
);
export const countReaders = statement<{ count: number }, [chat: number, account: number, message: number]>(
  readers('count(*) AS count', `p.receipt_key >= $3 AND ${isReader}`),
);
