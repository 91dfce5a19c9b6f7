import type { AuditRule } from '../../commits/audit.ts';
import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { sessionsOf } from '../../store/sessions.ts';
import { dropDevicesOfOthers } from '../../people/drop-devices.ts';
import { endSessions } from '../../people/end-sessions.ts';

const audit: AuditRule<object, { terminated: number }> = (_input, { terminated }, { username: target }) =>
  terminated === 0 ? null : { target, details: { sessions: terminated } };

/** Ends all sessions except the current one; all sessions if the caller's token has none. */
export default unit('terminateOtherSessions', { locks: ofCaller, addsData: false, audit }, async (call) => {
  const { tx, caller, now } = call;
  const others = (await tx.all(sessionsOf, caller.key, now)).filter(({ key }) => key !== caller.sessionKey);
  await dropDevicesOfOthers(call);
  await endSessions(
    call,
    others.map(({ key }) => key),
  );
  return { terminated: others.length };
});
