import { isUuid } from '@parley/protocol';
import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { dropDeviceOfSession } from '../../store/device-tokens.ts';
import { sessionById } from '../../store/sessions.ts';
import { endSessions } from '../../people/end-sessions.ts';

const audit = ({ session_id: target }: { session_id: string }) => ({ target });

/** Another account's session gives the same 404 as an unknown one (AUTH-9). */
export default unit(
  'terminateSession',
  { locks: ofCaller, addsData: false, audit },
  async (call, { session_id: id }) => {
    if (!isUuid(id)) throw invalid('session_id', 'is not a UUID');
    const session = await call.tx.get(sessionById, idBytes(id));
    if (!session || session.account_key !== call.caller.key || session.expires_at <= call.now)
      throw notFound('session');
    await call.tx.run(dropDeviceOfSession, call.caller.key, session.id);
    await endSessions(call, [session.key]);
  },
);
