import type { UnitCall } from '../commits/unit-call.ts';
import { conflict, notFound } from '../core/errors.ts';
import { requireLater } from '../core/later-time.ts';
import { isVisible } from '../messages/visibility.ts';
import type { MessageRow } from '../store/messages.ts';
import { dropLostReminders, insertScheduled, type ReminderRow, reminderOf, reschedule } from '../store/scheduled.ts';
import { announceScheduled, assertRoomToSchedule, requirePerson } from './scheduled.ts';

/**
 * Sets the caller's reminder of a message that the caller can see (SCHEDULE-20). It replaces the former one, unless
 * `keepsFormer` makes it a conflict.
 */
export async function setReminder(
  call: UnitCall,
  message: MessageRow | undefined,
  { remindAt, keepsFormer = false }: { remindAt: string; keepsFormer?: boolean },
): Promise<ReminderRow> {
  const { tx, caller, now } = call;
  if (!message || !(await isVisible(call, message))) throw notFound('message');
  requirePerson(call);
  const dueAt = requireLater(now, 'remind_at', remindAt);
  const known = await tx.get(reminderOf, caller.key, message.key);
  if (known && keepsFormer)
    throw conflict(`there is a reminder of this message already, for ${new Date(known.due_at).toISOString()}`);
  if (known) await tx.run(reschedule, known.key, '', dueAt);
  else {
    // Their account could not cancel them, since getReminders does not return them (SCHEDULE-22).
    await tx.run(dropLostReminders, caller.key);
    await assertRoomToSchedule(call, 'reminder', { count: 1, bytes: 0 });
    const id = call.newId();
    const { key, chat_key: chatKey } = message;
    await tx.get(insertScheduled, id, caller.key, chatKey, 'reminder', key, dueAt, 'waiting', null, '', now);
  }
  const row = await tx.get(reminderOf, caller.key, message.key);
  if (!row?.message_id) throw new Error('a stored reminder has its message');
  announceScheduled(call, caller.key, row.chat_id);
  return { ...row, message_id: row.message_id };
}
