import { statement } from './sql.ts';

export interface DraftRow {
  chat_key: number;
  chat_id: Uint8Array;
  text: string;
  reply_to_id: string | null;
  updated_at: number;
}

/** The draft of a channel or thread. */
export interface TimelineDraftRow extends DraftRow {
  channel_id: Uint8Array | null;
  thread_root_id: Uint8Array | null;
}

type Place = [account: number, chat: number, channel: number, thread: number];

// `updated_at` always increases, even if the clock steps back: devices use it to find the newest draft. A cleared draft
// stays as an empty row, so that the next save is newer than the clearing too.
const newer = (table: string, now: string): string =>
  `CASE WHEN ${table}.updated_at < ${now} THEN ${now} ELSE ${table}.updated_at + 1 END`;
const replaced = (table: string): string =>
  `DO UPDATE SET text = excluded.text, reply_to_id = excluded.reply_to_id,
     updated_at = ${newer(table, 'excluded.updated_at')}`;
export const saveDraft = statement<
  { updated_at: number },
  [account: number, chat: number, text: string, replyTo: string | null, now: number]
>(
  `INSERT INTO drafts (account_key, chat_key, text, reply_to_id, updated_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (account_key, chat_key) ${replaced('drafts')} RETURNING updated_at`,
);
export const saveTimelineDraft = statement<
  { key: number; updated_at: number },
  [...Place, text: string, replyTo: string | null, now: number]
>(
  `INSERT INTO timeline_drafts (account_key, chat_key, channel_key, thread_key, text, reply_to_id, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (account_key, chat_key, channel_key, thread_key) ${replaced('timeline_drafts')}
   RETURNING key, updated_at`,
);
// Selects only the lengths: the texts may have two megabytes together.
export const countOtherDrafts = statement<{ count: number; bytes: number }, Place>(
  `SELECT count(*) AS count, coalesce(sum(d.bytes), 0) AS bytes FROM (
     SELECT chat_key, 0 AS channel_key, 0 AS thread_key, octet_length(text) AS bytes FROM drafts
     WHERE account_key = $1 AND text <> ''
     UNION ALL
     SELECT chat_key, channel_key, thread_key, octet_length(text) AS bytes FROM timeline_drafts
     WHERE account_key = $1 AND text <> '') d
   JOIN participants p ON p.chat_key = d.chat_key AND p.account_key = $1
   WHERE NOT (d.chat_key = $2 AND d.channel_key = $3 AND d.thread_key = $4)`,
);
const cleared = (table: string, now: string): string =>
  `UPDATE ${table} SET text = '', reply_to_id = NULL, updated_at = ${newer(table, now)}`;
/** Returns no row if there was no draft. */
export const clearDraft = statement<{ updated_at: number }, [account: number, chat: number, now: number]>(
  `${cleared('drafts', '$3')} WHERE account_key = $1 AND chat_key = $2 AND text <> '' RETURNING updated_at`,
);
/** Returns no row if there was no draft. */
export const clearTimelineDraft = statement<{ key: number; updated_at: number }, [...Place, now: number]>(
  `${cleared('timeline_drafts', '$5')} WHERE account_key = $1 AND chat_key = $2 AND channel_key = $3
     AND thread_key = $4 AND text <> '' RETURNING key, updated_at`,
);
export const dropTimelineDraftsIn = statement<never, [account: number, chat: number]>(
  'DELETE FROM timeline_drafts WHERE account_key = $1 AND chat_key = $2',
);
/** The second condition lets the partial index serve the first one. */
export const dropDraftsOfChannel = statement<never, [channel: number]>(
  'DELETE FROM timeline_drafts WHERE channel_key = $1 AND channel_key <> 0',
);
export const dropDraftsOfThread = statement<never, [root: number]>(
  'DELETE FROM timeline_drafts WHERE thread_key = $1 AND thread_key <> 0',
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
const timelineDrafts = `SELECT d.chat_key, c.id AS chat_id, h.id AS channel_id, m.id AS thread_root_id, d.text,
     d.reply_to_id, d.updated_at FROM timeline_drafts d JOIN chats c ON c.key = d.chat_key
   JOIN participants p ON p.chat_key = d.chat_key AND p.account_key = d.account_key
   LEFT JOIN channels h ON h.key = d.channel_key LEFT JOIN messages m ON m.key = d.thread_key`;
/** A draft by its key, even a cleared one, if the account still takes part in the conversation. */
export const timelineDraftOf = statement<TimelineDraftRow, [account: number, key: number]>(
  `${timelineDrafts} WHERE d.account_key = $1 AND d.key = $2`,
);
export const timelineDraftsOf = statement<TimelineDraftRow, [account: number]>(
  `${timelineDrafts} WHERE d.account_key = $1 AND d.text <> '' ORDER BY d.key`,
);
