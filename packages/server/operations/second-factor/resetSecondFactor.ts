import { everything } from '../../commits/unit-locks.ts';
import { requireBelow } from '../../people/administer.ts';
import { endAllSessions } from '../../people/disable-account.ts';
import { dropFactor, hasFactor } from '../../people/second-factor.ts';
import { changingUnit } from '../handler.ts';

/** Whoever has taken the device may have signed in with it, so the sessions end too (FACTOR-7). */
export default changingUnit(
  'resetSecondFactor',
  { locks: everything, addsData: false, audit: ({ username }) => ({ target: username }) },
  async (call, { username }) => {
    const account = await requireBelow(call, username);
    if (!(await hasFactor(call.tx, account.key))) return false;
    await dropFactor(call.tx, account.key);
    await endAllSessions(call, account);
    return true;
  },
);
