import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { endSessions, requireSession } from '../../people/end-sessions.ts';

export default unit('signOut', { locks: ofCaller, addsData: false }, (call) =>
  endSessions(call, [requireSession(call.caller)]),
);
