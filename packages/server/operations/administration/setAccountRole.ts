import { everything } from '../../commits/unit-locks.ts';
import { forbidden } from '../../core/errors.ts';
import { changeRole, requireAnotherOwner, requirePersonNamed, roleNow } from '../../people/administer.ts';
import { mayGiveRole } from '../../rules/account-roles.ts';
import { changingUnit } from '../handler.ts';

// Locks everything: the owners of the service are counted, and rows of accounts are cached (ROLE-7).
export default changingUnit(
  'setAccountRole',
  { locks: everything, addsData: false, audit: ({ username, role }) => ({ target: username, details: { role } }) },
  async (call, { username, role }) => {
    const account = await requirePersonNamed(call, username);
    if (!mayGiveRole(await roleNow(call), account.role, role))
      throw forbidden('only an owner may give this role to this person');
    if (role !== 'owner') await requireAnotherOwner(call, account);
    return changeRole(call, account, role);
  },
);
