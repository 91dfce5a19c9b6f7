import { everything } from '../../commits/unit-locks.ts';
import { disablePerson, requireBelow } from '../../people/administer.ts';
import { enableAccount } from '../../people/disable-account.ts';
import { changingUnit } from '../handler.ts';

// Locks everything: rows of accounts are cached, and the owners of the service are counted.
export default changingUnit(
  'setAccountDisabled',
  {
    locks: everything,
    addsData: false,
    audit: ({ username, disabled }) => ({ target: username, details: { disabled } }),
  },
  async (call, { username, disabled }) => {
    if (disabled) return disablePerson(call, username);
    const account = await requireBelow(call, username);
    if (account.disabled_at === null) return false;
    await enableAccount(call, account);
    return true;
  },
);
