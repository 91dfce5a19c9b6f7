import { unit } from '../handler.ts';
import { setPrefs } from '../../store/notifications.ts';

export default unit('setNotificationPrefs', async ({ tx, caller }, prefs) => {
  await tx.run(setPrefs, caller.key, JSON.stringify(prefs));
  return prefs;
});
