// What people show beside their names (STATUS-1).
import { statement } from './sql.ts';

export interface StatusRow {
  emoji: string | null;
  text: string | null;
  /** Null if it does not end by itself. */
  ends_at: number | null;
}

/** SQL: the columns of a StatusRow. */
export const statusColumns = 's.emoji, s.text, s.ends_at';
/** SQL: a row `s` of statuses has not ended at the time in a parameter. */
export const isShown = (now: string): string => `(s.ends_at IS NULL OR s.ends_at > ${now})`;

export const statusOf = statement<StatusRow, [account: number, now: number]>(
  `SELECT ${statusColumns} FROM statuses s WHERE s.account_key = $1 AND ${isShown('$2')}`,
);
export const putStatus = statement<
  never,
  [account: number, emoji: string | null, text: string | null, endsAt: number | null]
>(
  `INSERT INTO statuses (account_key, emoji, text, ends_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_key) DO UPDATE SET emoji = excluded.emoji, text = excluded.text, ends_at = excluded.ends_at`,
);
export const dropStatus = statement<never, [account: number]>('DELETE FROM statuses WHERE account_key = $1');
