import { statement } from './sql.ts';

export interface SessionRow {
  key: number;
  id: Uint8Array;
  account_key: number;
  device_name: string | null;
  platform: string | null;
  app_version: string | null;
  created_at: number;
  last_active_at: number;
  expires_at: number;
  /** The backend that made a limited session; null for others. */
  backend_key: number | null;
}

const columns =
  'key, id, account_key, device_name, platform, app_version, created_at, last_active_at, expires_at, backend_key';

export const insertSession = statement<
  { key: number },
  [
    id: Uint8Array,
    account: number,
    tokenHash: Uint8Array,
    deviceName: string | null,
    platform: string | null,
    appVersion: string | null,
    now: number,
    expiresAt: number,
    backend: number | null,
  ]
>(
  `INSERT INTO sessions (id, account_key, token_hash, device_name, platform, app_version, created_at, last_active_at, expires_at, backend_key)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9) RETURNING key`,
);
export const sessionByKey = statement<SessionRow, [key: number]>(`SELECT ${columns} FROM sessions WHERE key = $1`);
export const sessionById = statement<SessionRow, [id: Uint8Array]>(`SELECT ${columns} FROM sessions WHERE id = $1`);
export const sessionsOf = statement<SessionRow, [account: number, now: number]>(
  `SELECT ${columns} FROM sessions WHERE account_key = $1 AND expires_at > $2 ORDER BY key DESC`,
);
export const sessionCount = statement<{ count: number }, [account: number]>(
  'SELECT count(*) AS count FROM sessions WHERE account_key = $1',
);
/** Least recently used sessions first. */
export const idlestSessions = statement<{ key: number }, [account: number, except: number, most: number]>(
  `SELECT key FROM sessions WHERE account_key = $1 AND key <> $2 ORDER BY last_active_at, key LIMIT $3`,
);
export const deleteSessions = statement<never>('DELETE FROM sessions WHERE key IN (:list)');
/** An expired session stays so, and use does not extend a limited one (TOKEN-5). */
export const touchSession = statement<never, [key: number, now: number, expiresAt: number]>(
  `UPDATE sessions SET last_active_at = $2, expires_at = CASE WHEN backend_key IS NULL THEN $3 ELSE expires_at END
   WHERE key = $1 AND expires_at > $2`,
);
export const deleteExpiredSessions = statement<never, [now: number]>('DELETE FROM sessions WHERE expires_at <= $1');

export const insertBot = statement<
  never,
  [account: number, tokenHash: Uint8Array, template: string | null, configSchema: string, secretSchema: string]
>('INSERT INTO bots (account_key, token_hash, template, config_schema, secret_schema) VALUES ($1, $2, $3, $4, $5)');
export const countBots = statement<{ count: number }, [owner: number]>(
  `SELECT count(*) AS count FROM accounts a JOIN bots b ON b.account_key = a.key
   WHERE a.parent_key = $1 AND a.deleted_at IS NULL`,
);
export const setBotToken = statement<never, [account: number, tokenHash: Uint8Array]>(
  'UPDATE bots SET token_hash = $2 WHERE account_key = $1',
);
export const deleteBot = statement<never, [account: number]>('DELETE FROM bots WHERE account_key = $1');
export const botOf = statement<{ account_key: number }, [account: number]>(
  'SELECT account_key FROM bots WHERE account_key = $1',
);
