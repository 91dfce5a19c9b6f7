import type { Input } from '@parley/protocol';
import { account } from '../../commits/lock-names.ts';
import { chatAsItIsOf, type LockRule } from '../../commits/unit-locks.ts';
import {
  announceScheduled,
  assertRoomToSchedule,
  reminderRecord,
  requirePerson,
} from '../../conversations/scheduled.ts';
import { notFound } from '../../core/errors.ts';
import { requireLater } from '../../core/later-time.ts';
import { idBytes } from '../../core/ids.ts';
import { isVisible } from '../../messages/visibility.ts';
import { messageById } from '../../store/messages.ts';
import { dropLostReminders, insertScheduled, reminderOf, reschedule } from '../../store/scheduled.ts';
import { unit } from '../handler.ts';

// Locks the account, whose reminders are counted, and the message's conversation, so that it stays visible.
const locks: LockRule<Input<'remindMe'>> = ({ caller, input }) => [account(caller.key), chatAsItIsOf(input.message_id)];

export default unit('remindMe', { locks }, async (call, { message_id: messageId, remind_at: remindAt }) => {
  const { tx, caller, now } = call;
  const message = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!message || !(await isVisible(call, message))) throw notFound('message');
  requirePerson(call);
  const dueAt = requireLater(now, 'remind_at', remindAt);
  const known = await tx.get(reminderOf, caller.key, message.key);
  if (known) await tx.run(reschedule, known.key, '', dueAt);
  else {
    // Their account could not cancel them, since getReminders does not return them (SCHEDULE-22).
    await tx.run(dropLostReminders, caller.key);
    await assertRoomToSchedule(call, 'reminder', { count: 1, bytes: 0 });
    const id = call.newId();
    await tx.get(insertScheduled, id, caller.key, message.chat_key, 'reminder', message.key, dueAt, null, '', now);
  }
  const row = await tx.get(reminderOf, caller.key, message.key);
  if (!row?.message_id) throw new Error('a stored reminder has its message');
  announceScheduled(call, caller.key, row.chat_id);
  return reminderRecord({ ...row, message_id: row.message_id });
});
