import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { accountByKey } from '../../store/accounts.ts';
import { buryPerson } from '../../people/bury-person.ts';
import { provePassword, wrongPassword } from '../../people/prove-password.ts';

export default preparedUnit('deleteAccount', {
  addsData: false,
  withheld: ['password'],
  async prepare(call, { password }, rooms: Needs<'read' | 'clock' | 'passwordTries'>) {
    return { passwordHash: await provePassword(rooms, call, password) };
  },
  locks: everything,
  async handle(call, _input, { passwordHash }) {
    const account = await call.tx.get(accountByKey, call.caller.key);
    // The password was changed or the account deleted since `prepare`.
    if (!account || account.password_hash !== passwordHash) throw wrongPassword();
    await buryPerson(call, account);
  },
});
