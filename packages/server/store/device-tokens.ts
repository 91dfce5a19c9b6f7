// Tokens of devices that have signed in before: their sign-ins do not wait for strangers' failed attempts (AUTH-19).
import { type Sql, statement } from './sql.ts';

export const deviceOwner = statement<{ account_key: number }, [tokenHash: Uint8Array]>(
  'SELECT account_key FROM device_tokens WHERE token_hash = $1',
);
const putDevice = statement<never, [tokenHash: Uint8Array, account: number, sessionId: Uint8Array, now: number]>(
  `INSERT INTO device_tokens (token_hash, account_key, session_id, used_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (token_hash) DO UPDATE SET session_id = excluded.session_id, used_at = excluded.used_at`,
);
const dropOldest = statement<never, [account: number, kept: number]>(
  `DELETE FROM device_tokens WHERE account_key = $1 AND token_hash NOT IN (
     SELECT token_hash FROM device_tokens WHERE account_key = $1 ORDER BY used_at DESC, token_hash LIMIT $2)`,
);
/** Deletes the device tokens of an account, except the one that began this session. */
export const dropOtherDevices = statement<never, [account: number, sessionId: Uint8Array]>(
  'DELETE FROM device_tokens WHERE account_key = $1 AND session_id <> $2',
);
export const dropDevicesOf = statement<never, [account: number]>('DELETE FROM device_tokens WHERE account_key = $1');
/** Deletes the device token that began this session. */
export const dropDeviceOfSession = statement<never, [account: number, sessionId: Uint8Array]>(
  'DELETE FROM device_tokens WHERE account_key = $1 AND session_id = $2',
);

/** Stores the device of a sign-in. If the account has more than `mostKept`, the least recently used one is deleted. */
export async function noteDevice(
  tx: Sql,
  device: { hash: Uint8Array; accountKey: number; sessionId: Uint8Array; now: number },
  mostKept: number,
): Promise<void> {
  const { hash, accountKey, sessionId, now } = device;
  await tx.run(putDevice, hash, accountKey, sessionId, now);
  await tx.run(dropOldest, accountKey, mostKept);
}
