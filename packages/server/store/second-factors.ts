import type { AccountRole } from '@parley/protocol';
import { statement } from './sql.ts';

export interface SecondFactorRow {
  account_key: number;
  /** The secret, sealed. */
  sealed: string;
  created_at: number;
  /** Null until its first code was right: it counts from then on. */
  confirmed_at: number | null;
  /** The time step of the last code that was taken. */
  last_step: number;
}

const columns = 'account_key, sealed, created_at, confirmed_at, last_step';

export const secondFactorOf = statement<SecondFactorRow, [account: number]>(
  `SELECT ${columns} FROM second_factors WHERE account_key = $1`,
);
/** Begins anew; a confirmed one stays, and no row is written. */
export const beginSecondFactor = statement<never, [account: number, sealed: string, now: number]>(
  `INSERT INTO second_factors (account_key, sealed, created_at) VALUES ($1, $2, $3)
   ON CONFLICT (account_key) DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at
     WHERE second_factors.confirmed_at IS NULL`,
);
/** Of the secret that was checked, and no other. */
export const confirmSecondFactor = statement<never, [account: number, sealed: string, now: number, step: number]>(
  `UPDATE second_factors SET confirmed_at = $3, last_step = $4
   WHERE account_key = $1 AND sealed = $2 AND confirmed_at IS NULL`,
);
/**
 * Takes the code of a step: changes no row if it, or a later one, was taken already. A step that is yet to come by more
 * than a phone can be wrong was taken before the clock was set back.
 */
export const takeStep = statement<never, [account: number, sealed: string, step: number]>(
  `UPDATE second_factors SET last_step = $3
   WHERE account_key = $1 AND sealed = $2 AND confirmed_at IS NOT NULL AND (last_step < $3 OR last_step > $3 + 2)`,
);
export const dropSecondFactor = statement<never, [account: number]>(
  'DELETE FROM second_factors WHERE account_key = $1',
);

export const addRecoveryCode = statement<never, [account: number, codeHash: Uint8Array]>(
  'INSERT INTO recovery_codes (account_key, code_hash) VALUES ($1, $2)',
);
export const recoveryCode = statement<{ account_key: number }, [account: number, codeHash: Uint8Array]>(
  'SELECT account_key FROM recovery_codes WHERE account_key = $1 AND code_hash = $2',
);
export const takeRecoveryCode = statement<never, [account: number, codeHash: Uint8Array]>(
  'DELETE FROM recovery_codes WHERE account_key = $1 AND code_hash = $2',
);
export const dropRecoveryCodes = statement<never, [account: number]>(
  'DELETE FROM recovery_codes WHERE account_key = $1',
);
export const countRecoveryCodes = statement<{ count: number }, [account: number]>(
  'SELECT COUNT(*) AS count FROM recovery_codes WHERE account_key = $1',
);

export const sealedSecondFactors = statement<SecondFactorRow, [after: number, limit: number]>(
  `SELECT ${columns} FROM second_factors WHERE account_key > $1 ORDER BY account_key LIMIT $2`,
);
export const resealSecondFactor = statement<never, [account: number, former: string, sealed: string]>(
  'UPDATE second_factors SET sealed = $3 WHERE account_key = $1 AND sealed = $2',
);
/** The people who have none, and sign in with a password. */
export const peopleWithoutFactor = statement<{ key: number; role: AccountRole }>(
  `SELECT a.key, a.role FROM accounts a
   WHERE a.kind = 'human' AND a.password_hash IS NOT NULL AND a.deleted_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM second_factors f WHERE f.account_key = a.key AND f.confirmed_at IS NOT NULL)`,
);
