import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { accountByKey } from '../../store/accounts.ts';
import { requireAnotherOwner } from '../../people/administer.ts';
import { buryPerson } from '../../people/bury-person.ts';
import { provePerson, wrongPassword } from '../../people/prove-password.ts';

export default preparedUnit('deleteAccount', {
  addsData: false,
  withheld: ['password'],
  async prepare(call, { password }, rooms: Needs<'read' | 'clock' | 'passwordTries'>) {
    return { passwordHash: await provePerson(rooms, call, password) };
  },
  locks: everything,
  audit: (_input, _result, { username: target }) => ({ target }),
  async handle(call, _input, { passwordHash }) {
    const account = await call.tx.get(accountByKey, call.caller.key);
    // The password was changed or the account deleted since `prepare`.
    if (!account || account.password_hash !== passwordHash) throw wrongPassword();
    await requireAnotherOwner(call, account);
    await buryPerson(call, account);
  },
});
