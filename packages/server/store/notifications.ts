import type { DeviceNotifPref, NotifPrefs } from '@parley/protocol';
import { statement } from './sql.ts';

export type PushPlatform = 'ios' | 'web';

const on = { enabled: true, preview: true, sound: true };
/** The preferences of an account that has set none (NOTIF-1). */
const defaultPrefs: NotifPrefs = {
  private_chats: on,
  group_chats: on,
  message_preview: true,
  badge: { enabled: true, include_groups: true, count_messages: true },
};
const defaultDevicePrefs: DeviceNotifPref = {
  enabled: true,
  in_app: { sounds: true, vibrate: true, preview: true },
};

interface PrefsRow {
  prefs: string;
}
export const prefsOf = statement<PrefsRow, [account: number]>(
  'SELECT prefs FROM notification_prefs WHERE account_key = $1',
);
export const setPrefs = statement<never, [account: number, prefs: string]>(
  `INSERT INTO notification_prefs (account_key, prefs) VALUES ($1, $2)
   ON CONFLICT (account_key) DO UPDATE SET prefs = excluded.prefs`,
);
export const devicePrefsOf = statement<PrefsRow, [session: number]>(
  'SELECT d.prefs FROM device_prefs d JOIN sessions s ON s.id = d.session_id WHERE s.key = $1',
);
export const setDevicePrefs = statement<never, [session: Uint8Array, prefs: string]>(
  `INSERT INTO device_prefs (session_id, prefs) VALUES ($1, $2)
   ON CONFLICT (session_id) DO UPDATE SET prefs = excluded.prefs`,
);

/** Parses stored preferences, which were validated when they were set; without any, returns the defaults. */
export const readPrefs = (text: string | null | undefined): NotifPrefs => (text ? JSON.parse(text) : defaultPrefs);
export const readDevicePrefs = (text: string | null | undefined): DeviceNotifPref =>
  text ? JSON.parse(text) : defaultDevicePrefs;

/** The public id of the caller's session; no row if the session has ended. */
export const sessionIdOf = statement<{ id: Uint8Array }, [session: number, account: number]>(
  'SELECT id FROM sessions WHERE key = $1 AND account_key = $2',
);

/** Registers a token. It belongs to the account that registered it last (NOTIF-4). */
export const putToken = statement<
  never,
  [
    platform: PushPlatform,
    address: string,
    token: string,
    account: number,
    session: Uint8Array | null,
    now: number,
    locale: string | null,
  ]
>(
  `INSERT INTO push_tokens (platform, address, token, account_key, session_id, registered_at, locale)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (address, platform) DO UPDATE SET token = excluded.token, account_key = excluded.account_key,
     session_id = excluded.session_id, registered_at = excluded.registered_at, locale = excluded.locale`,
);
export const tokensNewestFirst = statement<{ key: number; platform: PushPlatform; address: string }, [account: number]>(
  'SELECT key, platform, address FROM push_tokens WHERE account_key = $1 ORDER BY registered_at DESC, key DESC',
);
export const dropTokens = statement<never>('DELETE FROM push_tokens WHERE key IN (:list)');
export const dropTokenAt = statement<never, [account: number, address: string]>(
  'DELETE FROM push_tokens WHERE address = $2 AND account_key = $1',
);
/** Deletes a token that its push service has rejected, unless it was registered again since. */
export const dropDeadToken = statement<never, [key: number, address: string, registeredAt: number]>(
  'DELETE FROM push_tokens WHERE key = $1 AND address = $2 AND registered_at = $3',
);
export const dropTokensOfSessions = statement<never>(
  'DELETE FROM push_tokens WHERE session_id IN (SELECT id FROM sessions WHERE key IN (:list))',
);
export const dropTokensOf = statement<never, [account: number]>('DELETE FROM push_tokens WHERE account_key = $1');
export const dropDevicePrefsOfSessions = statement<never>(
  'DELETE FROM device_prefs WHERE session_id IN (SELECT id FROM sessions WHERE key IN (:list))',
);
/** Deletes the tokens of expired sessions, which are deleted at the same time. */
export const dropTokensOfExpired = statement<never, [now: number]>(
  'DELETE FROM push_tokens WHERE session_id IN (SELECT id FROM sessions WHERE expires_at <= $1)',
);
export const dropDevicePrefsOfExpired = statement<never, [now: number]>(
  'DELETE FROM device_prefs WHERE session_id IN (SELECT id FROM sessions WHERE expires_at <= $1)',
);

/** Marks the conversations of an account that registers a token. */
export const markChatsOf = statement<never, [account: number]>(
  `UPDATE chats SET may_push = 1 WHERE may_push = 0
     AND key IN (SELECT chat_key FROM participants WHERE account_key = $1)`,
);
/** Marks the conversation that an account has joined, if it has a token. */
export const markChatFor = statement<never, [chat: number, account: number]>(
  `UPDATE chats SET may_push = 1 WHERE key = $1 AND may_push = 0
     AND EXISTS (SELECT 1 FROM push_tokens WHERE account_key = $2)`,
);
/** Removes the mark if no participant has a token. */
export const unmarkChat = statement<never, [chat: number]>(
  `UPDATE chats SET may_push = 0 WHERE key = $1 AND NOT EXISTS (
     SELECT 1 FROM participants p JOIN push_tokens t ON t.account_key = p.account_key WHERE p.chat_key = $1)`,
);
