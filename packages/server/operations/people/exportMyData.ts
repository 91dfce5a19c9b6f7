import { ofCaller } from '../../commits/unit-locks.ts';
import { preparedUnitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { forbidden } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { sessionByKey } from '../../store/sessions.ts';
import { askPassword } from '../../people/prove-password.ts';

/** The unit writes nothing but the row of the audit (AUDIT-3). */
export default preparedUnitThen(
  'exportMyData',
  {
    addsData: false,
    withheld: ['password'],
    async prepare(call, { password }, rooms: Needs<'read' | 'clock' | 'passwordTries'>) {
      if (call.caller?.kind !== 'human') throw forbidden('only the owner of a bot can export its data');
      await askPassword(rooms, call, password);
    },
    locks: ofCaller,
    async handle({ tx, caller }): Promise<string | null> {
      const session = caller.sessionKey === null ? null : await tx.get(sessionByKey, caller.sessionKey);
      // The session may have ended since the call was authenticated.
      if (session === undefined) throw forbidden('this session has ended');
      return session && idText(session.id);
    },
    audit: (_input, _session, { username: target }) => ({ target }),
  },
  ({ caller }, session, { exports }: Needs<'exports'>) => ({ url: exports.urlFor(caller.key, session) }),
);
