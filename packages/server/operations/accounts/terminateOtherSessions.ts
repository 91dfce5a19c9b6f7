import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { sessionsOf } from '../../store/sessions.ts';
import { dropDevicesOfOthers } from '../../people/drop-devices.ts';
import { endSessions } from '../../people/end-sessions.ts';

/** Ends all sessions except the current one; all sessions if the caller's token has none. */
export default unit('terminateOtherSessions', { locks: ofCaller, addsData: false }, async (call) => {
  const { tx, caller, now } = call;
  const others = (await tx.all(sessionsOf, caller.key, now)).filter(({ key }) => key !== caller.sessionKey);
  await dropDevicesOfOthers(call);
  await endSessions(
    call,
    others.map(({ key }) => key),
  );
  return { terminated: others.length };
});
