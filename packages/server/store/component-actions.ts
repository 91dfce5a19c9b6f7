// The recent presses of each account. The column `action` holds the action and, if fields were sent, their digest.
import { statement } from './sql.ts';

/** Deletes an account's presses up to a time, and those after another, which were noted before the clock was set back. */
export const forgetActions = statement<never, [account: number, through: number, latest: number]>(
  'DELETE FROM component_actions WHERE account_key = $1 AND (acted_at <= $2 OR acted_at > $3)',
);
export const isNotedAction = statement<
  { acted_at: number },
  [account: number, message: Uint8Array, action: string, after: number, latest: number]
>(
  `SELECT acted_at FROM component_actions JOIN messages ON key = message_key
   WHERE account_key = $1 AND id = $2 AND action = $3 AND acted_at > $4 AND acted_at <= $5`,
);
/** Changes no row if the account's same press is already noted. */
export const noteAction = statement<never, [account: number, message: number, action: string, now: number]>(
  `INSERT INTO component_actions (account_key, message_key, action, acted_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_key, message_key, action) DO NOTHING`,
);
