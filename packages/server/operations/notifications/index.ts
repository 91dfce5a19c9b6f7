// Preferences of notifications, and the devices that receive pushes.
import getNotificationPrefs from './getNotificationPrefs.ts';
import registerPushToken from './registerPushToken.ts';
import setDeviceNotificationPrefs from './setDeviceNotificationPrefs.ts';
import setNotificationPrefs from './setNotificationPrefs.ts';
import unregisterPushToken from './unregisterPushToken.ts';

export const notificationHandlers = {
  getNotificationPrefs,
  registerPushToken,
  setDeviceNotificationPrefs,
  setNotificationPrefs,
  unregisterPushToken,
};
