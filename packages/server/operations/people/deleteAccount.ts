import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import { accountByKey } from '../../store/accounts.ts';
import { buryPerson } from '../../people/bury-person.ts';
import { provePassword, wrongPassword } from '../../people/prove-password.ts';

export default preparedUnit('deleteAccount', {
  withheld: ['password'],
  async prepare(service, { password }, caller, address) {
    return { passwordHash: await provePassword(service, { caller, address }, password) };
  },
  locks: everything,
  async handle(call, _input, { passwordHash }) {
    const account = await call.tx.get(accountByKey, call.caller.key);
    // Another password meanwhile, or deleted already.
    if (!account || account.password_hash !== passwordHash) throw wrongPassword();
    await buryPerson(call, account);
  },
});
