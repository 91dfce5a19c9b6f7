// Statements that delete or change what belongs to a deleted account (PEOPLE-8 …).
import { messageColumns, type MessageRow } from './messages.ts';
import { type Sql, statement } from './sql.ts';
import { references } from './tables/index.ts';
import type { StreamRow } from './turns.ts';

type OfAccount = [account: number];

/**
 * What only the account could see, and the usage of the account's agents, or of the account if it is an agent, which only
 * the owner can read.
 */
const belongings = references
  .filter(({ to }) => to.onDelete === 'belonging')
  .map(({ table, column }) => statement<never, OfAccount>(`DELETE FROM ${table} WHERE ${column} = $1`));

/**
 * Resets what a deleted account kept about its conversations. It remains a participant of some conversations, so that its
 * partners keep them.
 */
const resetParticipants = statement<never, OfAccount>(
  `UPDATE participants SET read_key = 0, receipt_key = 0, is_muted = 0, muted_until = NULL, pin_order = NULL,
     archived_key = NULL, is_marked_unread = 0, folder_id = NULL, cleared_key = 0 WHERE account_key = $1`,
);

/** Deletes everything that only the account itself could see. */
export async function removeBelongings(tx: Sql, accountKey: number): Promise<void> {
  for (const removal of belongings) await tx.run(removal, accountKey);
  await tx.run(resetParticipants, accountKey);
}

/** Every participant is deleted or is an agent that the service runs. Bots count as readers. */
const hasNoReader = `NOT EXISTS (SELECT 1 FROM participants p JOIN accounts a ON a.key = p.account_key
  WHERE p.chat_key = c.key AND a.deleted_at IS NULL AND (a.kind = 'human' OR a.agent_provider IS NULL))`;

/** Plans the deletion of a conversation's messages if it has no reader left. */
export const planEmptying = statement<never, [chat: number]>(
  `INSERT INTO chats_to_empty (chat_key) SELECT c.key FROM chats c WHERE c.key = $1 AND ${hasNoReader}
   ON CONFLICT (chat_key) DO NOTHING`,
);
/** Plans the same for all conversations of an account that have no reader left. */
export const planEmptyingOf = statement<never, [account: number]>(
  `INSERT INTO chats_to_empty (chat_key) SELECT c.key FROM chats c
   WHERE c.key IN (SELECT chat_key FROM participants WHERE account_key = $1) AND ${hasNoReader}
   ON CONFLICT (chat_key) DO NOTHING`,
);
export const chatToEmpty = statement<{ chat_key: number }>('SELECT chat_key FROM chats_to_empty LIMIT 1');
export const chatIsEmpty = statement<never, [chat: number]>('DELETE FROM chats_to_empty WHERE chat_key = $1');
export const messagesLeftIn = statement<MessageRow, [chat: number, limit: number]>(
  `SELECT ${messageColumns} FROM messages m WHERE m.chat_key = $1 AND m.deleted_at IS NULL LIMIT $2`,
);

/**
 * The next owner of a group: the admin who joined first, otherwise the human member who joined first. A disabled person only
 * if there is nobody else.
 */
export const heirOf = statement<{ account_key: number }, [chat: number, leaving: number]>(
  `SELECT p.account_key FROM participants p JOIN accounts a ON a.key = p.account_key
   WHERE p.chat_key = $1 AND p.account_key <> $2 AND a.kind = 'human'
   ORDER BY CASE WHEN a.disabled_at IS NULL THEN 0 ELSE 1 END, CASE p.role WHEN 'admin' THEN 0 ELSE 1 END, p.joined_at, p.account_key LIMIT 1`,
);

/** The open replies that daemons write for one human. */
export const daemonStreamsOfHuman = statement<Pick<StreamRow, 'message_key'>, [human: number]>(
  `SELECT s.message_key FROM streams s JOIN turns t ON t.key = s.turn_key
   WHERE s.runner = 'daemon' AND t.human_key = $1`,
);
