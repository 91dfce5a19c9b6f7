import { statement } from './sql.ts';

export interface DraftRow {
  chat_key: number;
  chat_id: Uint8Array;
  text: string;
  reply_to_id: string | null;
  updated_at: number;
}

export const saveDraft = statement<
  { updated_at: number },
  [account: number, chat: number, text: string, replyTo: string | null, now: number]
>(
  // The server's clock may step back; the tie-breaker of devices may not.
  `INSERT INTO drafts (account_key, chat_key, text, reply_to_id, updated_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (account_key, chat_key) DO UPDATE SET text = excluded.text, reply_to_id = excluded.reply_to_id,
     updated_at = CASE WHEN drafts.updated_at < excluded.updated_at THEN excluded.updated_at ELSE drafts.updated_at + 1 END
   RETURNING updated_at`,
);
export const countOtherDrafts = statement<{ count: number }, [account: number, chat: number]>(
  `SELECT count(*) AS count FROM drafts d
   JOIN participants p ON p.chat_key = d.chat_key AND p.account_key = d.account_key
   WHERE d.account_key = $1 AND d.chat_key <> $2`,
);
export const deleteDraft = statement<never, [account: number, chat: number]>(
  'DELETE FROM drafts WHERE account_key = $1 AND chat_key = $2',
);
const columns = 'd.chat_key, c.id AS chat_id, d.text, d.reply_to_id, d.updated_at FROM drafts d JOIN chats c ON c.key = d.chat_key';
export const draftOf = statement<DraftRow, [account: number, chat: number]>(
  `SELECT ${columns} WHERE d.account_key = $1 AND d.chat_key = $2`,
);
export const draftsOf = statement<DraftRow, [account: number]>(
  `SELECT ${columns} JOIN participants p ON p.chat_key = d.chat_key AND p.account_key = d.account_key
   WHERE d.account_key = $1 ORDER BY d.chat_key`,
);
