import { reminderRecord } from '../../conversations/scheduled.ts';
import { remindersOf } from '../../store/scheduled.ts';
import { read } from '../handler.ts';

export default read('getReminders', async ({ tx, caller }) => {
  const rows = await tx.all(remindersOf, caller.key);
  return {
    items: rows.flatMap(({ message_id, ...row }) => (message_id ? [reminderRecord({ ...row, message_id })] : [])),
  };
});
