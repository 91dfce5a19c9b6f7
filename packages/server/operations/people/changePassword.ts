import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { invalid } from '../../core/errors.ts';
import { weaknessOf } from '../../rules/weak-password.ts';
import { passwords } from '../../secrets/passwords.ts';
import { accountByKey } from '../../store/accounts.ts';
import { sessionsOf } from '../../store/sessions.ts';
import { dropDevicesOfOthers } from '../../people/drop-devices.ts';
import { endSessions } from '../../people/end-sessions.ts';
import { provePassword, wrongPassword } from '../../people/prove-password.ts';
import { setNewPassword } from '../../people/set-new-password.ts';

export default preparedUnit('changePassword', {
  addsData: false,
  withheld: ['old_password', 'new_password'],
  async prepare(call, { old_password, new_password }, rooms: Needs<'read' | 'clock' | 'passwordTries'>) {
    const weakness = call.caller && weaknessOf(new_password, call.caller.username);
    if (weakness !== null) throw invalid('new_password', weakness);
    const former = await provePassword(rooms, call, old_password);
    return { former, passwordHash: await passwords.hash(new_password, 'known') };
  },
  locks: everything,
  audit: (_input, _result, { username: target }) => ({ target }),
  async handle(call, _input, { former, passwordHash }) {
    const { tx, caller } = call;
    const account = await tx.get(accountByKey, caller.key);
    // For the second of two concurrent calls, the old password is no longer current (PEOPLE-6).
    if (!account || account.password_hash !== former) throw wrongPassword();
    await setNewPassword(call, caller.key, passwordHash);
    await dropDevicesOfOthers(call);
    const others = (await tx.all(sessionsOf, caller.key, 0)).filter(({ key }) => key !== caller.sessionKey);
    await endSessions(
      call,
      others.map(({ key }) => key),
    );
  },
});
