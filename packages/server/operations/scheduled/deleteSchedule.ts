import { account } from '../../commits/lock-names.ts';
import { householdOf } from '../../commits/unit-locks.ts';
import { dropScheduled, requirePerson, requireScheduled } from '../../conversations/scheduled.ts';
import { unit } from '../handler.ts';

export default unit(
  'deleteSchedule',
  // Locks the account (what it has scheduled) and the household (its stored bytes).
  { locks: ({ caller }) => [account(caller.key), householdOf(caller)], addsData: false },
  async (call, { schedule_id: id }) => {
    requirePerson(call);
    await dropScheduled(call, await requireScheduled(call, 'schedule', id));
    return undefined;
  },
);
