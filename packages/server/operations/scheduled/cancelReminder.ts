// Scheduled messages and reminders.
import { ofCaller } from '../../commits/unit-locks.ts';
import { dropScheduled, requireScheduled } from '../../conversations/scheduled.ts';
import { unit } from '../handler.ts';

export default unit('cancelReminder', { locks: ofCaller, addsData: false }, async (call, { reminder_id: id }) => {
  await dropScheduled(call, await requireScheduled(call, 'reminder', id));
  return undefined;
});
