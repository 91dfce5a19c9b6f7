import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { setDevicePrefs } from '../../store/notifications.ts';
import { requireSession } from '../../people/end-sessions.ts';
import { currentSessionId } from '../../people/current-session.ts';

/** A device is identified by its session, so a caller without a session has no device to set (NOTIF-3). */
export default unit('setDeviceNotificationPrefs', { locks: ofCaller }, async (call, prefs) => {
  requireSession(call.caller);
  const sessionId = await currentSessionId(call);
  if (sessionId) await call.tx.run(setDevicePrefs, sessionId, JSON.stringify(prefs));
  return prefs;
});
