import type { AuditRule } from '../../commits/audit.ts';
import { ofCaller } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { idText } from '../../core/ids.ts';
import { endSessions, requireSession } from '../../people/end-sessions.ts';
import { sessionByKey } from '../../store/sessions.ts';

const audit: AuditRule<object, string | undefined> = (_input, target) => ({ target });

export default unitThen<'signOut', string | undefined>(
  'signOut',
  { locks: ofCaller, addsData: false, audit },
  async (call) => {
    const key = requireSession(call.caller);
    const session = await call.tx.get(sessionByKey, key);
    await endSessions(call, [key]);
    return session && idText(session.id);
  },
  () => {},
);
