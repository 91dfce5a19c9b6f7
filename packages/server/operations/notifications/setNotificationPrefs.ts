import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { setPrefs } from '../../store/notifications.ts';

export default unit('setNotificationPrefs', { locks: ofCaller }, async ({ tx, caller }, prefs) => {
  await tx.run(setPrefs, caller.key, JSON.stringify(prefs));
  return prefs;
});
