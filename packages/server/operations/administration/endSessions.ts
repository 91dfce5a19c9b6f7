import { everything } from '../../commits/unit-locks.ts';
import { requireBelow } from '../../people/administer.ts';
import { endAllSessions } from '../../people/disable-account.ts';
import { unit } from '../handler.ts';

export default unit(
  'endSessions',
  {
    locks: everything,
    addsData: false,
    audit: ({ username }, { terminated }) => ({ target: username, details: { sessions: terminated } }),
  },
  async (call, { username }) => ({
    terminated: await endAllSessions(call, await requireBelow(call, username)),
  }),
);
