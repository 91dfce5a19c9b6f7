import { reminderRecord } from '../../conversations/scheduled.ts';
import { remindersOf } from '../../store/scheduled.ts';
import { read } from '../handler.ts';

export default read('getReminders', async ({ tx, caller }) => {
  const rows = await tx.all(remindersOf, caller.key);
  return { items: rows.map(reminderRecord) };
});
