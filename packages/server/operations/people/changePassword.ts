import { preparedUnit } from '../../call.ts';
import { passwords } from '../../secrets/passwords.ts';
import { accountByKey, setPassword } from '../../store/accounts.ts';
import { sessionsOf } from '../../store/sessions.ts';
import { endSessions } from '../accounts/end-sessions.ts';
import { provePassword, wrongPassword } from './prove-password.ts';

export default preparedUnit('changePassword', {
  withheld: ['old_password', 'new_password'],
  async prepare(service, { old_password, new_password }, caller) {
    const former = await provePassword(service, caller, old_password);
    return { former, passwordHash: await passwords.hash(new_password) };
  },
  async handle(call, _input, { former, passwordHash }) {
    const { tx, caller } = call;
    const account = await tx.get(accountByKey, caller.key);
    // Of two at once the second one's old password is the old one no more (PEOPLE-6).
    if (!account || account.password_hash !== former) throw wrongPassword();
    await tx.run(setPassword, caller.key, passwordHash);
    const others = (await tx.all(sessionsOf, caller.key, 0)).filter(({ key }) => key !== caller.sessionKey);
    await endSessions(
      call,
      others.map(({ key }) => key),
    );
  },
});
