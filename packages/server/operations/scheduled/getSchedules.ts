import { requireChat } from '../../access/chats.ts';
import { requirePerson } from '../../conversations/scheduled.ts';
import { scheduleRecord } from '../../conversations/schedules.ts';
import { idText } from '../../core/ids.ts';
import { type ScheduledRow, scheduledOf } from '../../store/scheduled.ts';
import { read } from '../handler.ts';

/** Active ones, soonest first, then paused ones, then those that have ended, the newest first (SCHED-6). */
export default read('getSchedules', async (call, { chat_id: chatId }) => {
  const { tx, caller, now } = call;
  requirePerson(call);
  if (chatId !== undefined) await requireChat(call, chatId);
  const rows = (await tx.all(scheduledOf, caller.key, 'schedule')).filter(
    (row) => (chatId === undefined || idText(row.chat_id) === chatId) && (row.state !== 'ended' || row.due_at > now),
  );
  const those = (state: ScheduledRow['state']) => rows.filter((row) => row.state === state);
  return { items: [...those('active'), ...those('paused'), ...those('ended').toReversed()].map(scheduleRecord) };
});
