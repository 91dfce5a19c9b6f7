import { statement } from './sql.ts';

/** Forgets what an account pressed up to a time. */
export const forgetActions = statement<never, [account: number, through: number]>(
  'DELETE FROM component_actions WHERE account_key = $1 AND acted_at <= $2',
);
/** Changes no row when the account has just done the same. */
export const noteAction = statement<never, [account: number, message: number, action: string, now: number]>(
  `INSERT INTO component_actions (account_key, message_key, action, acted_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_key, message_key, action) DO NOTHING`,
);
