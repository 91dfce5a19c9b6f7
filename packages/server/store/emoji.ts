// Custom emoji of the instance (EMOJI-1).
import { statement } from './sql.ts';

export interface EmojiRow {
  name: string;
  /** The person who made it. */
  account_key: number;
  /** The random name of its picture. */
  picture: string;
  mime_type: string;
  /** In bytes. */
  size: number;
  created_at: number;
}

const columns = 'name, account_key, picture, mime_type, size, created_at';

export const emojiNamed = statement<EmojiRow, [name: string]>(`SELECT ${columns} FROM emoji WHERE name = $1`);
export const emojiAfter = statement<EmojiRow, [name: string, limit: number]>(
  `SELECT ${columns} FROM emoji WHERE name > $1 ORDER BY name LIMIT $2`,
);
export const emojiOf = statement<EmojiRow, [account: number]>(
  `SELECT ${columns} FROM emoji WHERE account_key = $1 ORDER BY name`,
);
export const emojiWithPicture = statement<EmojiRow, [picture: string]>(
  `SELECT ${columns} FROM emoji WHERE picture = $1`,
);
export const countEmoji = statement<{ count: number; own: number }, [account: number]>(
  'SELECT count(*) AS count, count(CASE WHEN account_key = $1 THEN 1 END) AS own FROM emoji',
);
export const insertEmoji = statement<
  never,
  [name: string, account: number, picture: string, mimeType: string, size: number, now: number]
>('INSERT INTO emoji (name, account_key, picture, mime_type, size, created_at) VALUES ($1, $2, $3, $4, $5, $6)');
export const removeEmoji = statement<never, [name: string]>('DELETE FROM emoji WHERE name = $1');
