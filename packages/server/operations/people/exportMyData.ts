import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { forbidden } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { sessionByKey } from '../../store/sessions.ts';
import { askPassword } from '../../people/prove-password.ts';

export default read(
  'exportMyData',
  async ({ tx, caller, address }, { password }, rooms: Needs<'read' | 'clock' | 'passwordTries' | 'exports'>) => {
    if (caller.kind !== 'human') throw forbidden('only the owner of a bot can export its data');
    await askPassword(rooms, { caller, address }, password);
    const session = caller.sessionKey === null ? null : await tx.get(sessionByKey, caller.sessionKey);
    // The session may have ended since the call was authenticated.
    if (session === undefined) throw forbidden('this session has ended');
    return { url: rooms.exports.urlFor(caller.key, session && idText(session.id)) };
  },
);
