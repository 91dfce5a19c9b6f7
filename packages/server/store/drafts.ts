import { statement } from './sql.ts';

export interface DraftRow {
  chat_key: number;
  chat_id: Uint8Array;
  text: string;
  reply_to_id: string | null;
  updated_at: number;
}

// `updated_at` always increases, even if the clock steps back: devices use it to find the newest draft. A cleared draft
// stays as an empty row, so that the next save is newer than the clearing too.
const newer = (now: string): string =>
  `CASE WHEN drafts.updated_at < ${now} THEN ${now} ELSE drafts.updated_at + 1 END`;
export const saveDraft = statement<
  { updated_at: number },
  [account: number, chat: number, text: string, replyTo: string | null, now: number]
>(
  `INSERT INTO drafts (account_key, chat_key, text, reply_to_id, updated_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (account_key, chat_key) DO UPDATE SET text = excluded.text, reply_to_id = excluded.reply_to_id,
     updated_at = ${newer('excluded.updated_at')}
   RETURNING updated_at`,
);
// Selects only the lengths: the texts may have two megabytes together.
export const countOtherDrafts = statement<{ count: number; bytes: number }, [account: number, chat: number]>(
  `SELECT count(*) AS count, coalesce(sum(octet_length(d.text)), 0) AS bytes FROM drafts d
   JOIN participants p ON p.chat_key = d.chat_key AND p.account_key = d.account_key
   WHERE d.account_key = $1 AND d.chat_key <> $2 AND octet_length(d.text) > 0`,
);
/** Returns no row if there was no draft. */
export const clearDraft = statement<{ updated_at: number }, [account: number, chat: number, now: number]>(
  `UPDATE drafts SET text = '', reply_to_id = NULL, updated_at = ${newer('$3')}
   WHERE account_key = $1 AND chat_key = $2 AND text <> '' RETURNING updated_at`,
);
const columns =
  'd.chat_key, c.id AS chat_id, d.text, d.reply_to_id, d.updated_at FROM drafts d JOIN chats c ON c.key = d.chat_key';
/** A draft, even a cleared one, whose text is empty. */
export const draftOf = statement<DraftRow, [account: number, chat: number]>(
  `SELECT ${columns} WHERE d.account_key = $1 AND d.chat_key = $2`,
);
export const draftsOf = statement<DraftRow, [account: number]>(
  `SELECT ${columns} JOIN participants p ON p.chat_key = d.chat_key AND p.account_key = d.account_key
   WHERE d.account_key = $1 AND d.text <> '' ORDER BY d.chat_key`,
);
