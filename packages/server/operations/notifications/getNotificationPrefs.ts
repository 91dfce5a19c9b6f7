// Preferences of notifications, and the devices that receive pushes.
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { devicePrefsOf, prefsOf, readDevicePrefs, readPrefs } from '../../store/notifications.ts';

/** Everything is enabled by default; a token without a session has no device (NOTIF-1). */
export default read('getNotificationPrefs', async ({ tx, caller }, _input, { push }: Needs<'push'>) => {
  const account = await tx.get(prefsOf, caller.key);
  const device = caller.sessionKey === null ? undefined : await tx.get(devicePrefsOf, caller.sessionKey);
  return {
    account: readPrefs(account?.prefs),
    device: readDevicePrefs(device?.prefs),
    vapid_public_key: push.vapidKey,
  };
});
