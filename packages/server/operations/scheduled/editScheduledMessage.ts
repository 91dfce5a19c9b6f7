import { account } from '../../commits/lock-names.ts';
import { householdOf } from '../../commits/unit-locks.ts';
import {
  announceScheduled,
  assertRoomToSchedule,
  inputOf,
  requireScheduled,
  scheduledRecord,
  viaOf,
} from '../../conversations/scheduled.ts';
import { invalid } from '../../core/errors.ts';
import { requireLater } from '../../core/later-time.ts';
import { assertRoomToSay } from '../../files/storage-quota.ts';
import { reschedule } from '../../store/scheduled.ts';
import { addStored } from '../../store/stored-bytes.ts';
import { unit } from '../handler.ts';

export default unit(
  'editScheduledMessage',
  // Locks the account (what it has scheduled) and the household (its stored bytes).
  { locks: ({ caller }) => [account(caller.key), householdOf(caller)] },
  async (call, { chat_id: chatId, scheduled_id: id, text, send_at: sendAt }) => {
    const { tx, caller, now } = call;
    const row = await requireScheduled(call, 'message', id, chatId);
    const before = inputOf(row);
    // Its text is as much the program's as that of one that it has scheduled.
    const content = { ...before, text: text ?? before.text, ...(text !== undefined && viaOf(call)) };
    if (content.text === '' && !content.attachments?.length) throw invalid('text', 'or an attachment is required');
    const dueAt = sendAt === undefined ? row.due_at : requireLater(now, 'send_at', sendAt);
    const input = JSON.stringify(content);
    const more = Buffer.byteLength(input) - Buffer.byteLength(row.input);
    if (more > 0) {
      await assertRoomToSchedule(call, 'message', { count: 0, bytes: more });
      await assertRoomToSay(call, caller.key, more);
    }
    await tx.run(reschedule, row.key, input, dueAt);
    await tx.run(addStored, caller.key, more);
    announceScheduled(call, caller.key, row.chat_id);
    return scheduledRecord({ ...row, input, due_at: dueAt, failure: null });
  },
);
