import { account } from '../../commits/lock-names.ts';
import { householdOf } from '../../commits/unit-locks.ts';
import { requirePerson, requireScheduled } from '../../conversations/scheduled.ts';
import { changeSchedule, nextOf, scheduleRecord } from '../../conversations/schedules.ts';
import { unit } from '../handler.ts';

/** One that goes on passes over the times that have passed; without a time left it ends (SCHED-10). */
export default unit(
  'pauseSchedule',
  // As deleteSchedule: the oldest of those that have ended may be deleted.
  { locks: ({ caller }) => [account(caller.key), householdOf(caller)], addsData: false },
  async (call, { schedule_id: id, paused }) => {
    requirePerson(call);
    const row = await requireScheduled(call, 'schedule', id);
    if (row.state !== (paused ? 'active' : 'paused')) return scheduleRecord(row);
    const change = paused ? ({ state: 'paused' } as const) : nextOf(row, call.now, call.now);
    return scheduleRecord(await changeSchedule(call, row, change));
  },
);
