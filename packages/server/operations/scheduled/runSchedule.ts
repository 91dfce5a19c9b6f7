import { account, chat } from '../../commits/lock-names.ts';
import { householdOf } from '../../commits/unit-locks.ts';
import { requirePerson, requireScheduled } from '../../conversations/scheduled.ts';
import { changeSchedule, scheduleRecord, sendOfSchedule } from '../../conversations/schedules.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { scheduledById } from '../../store/scheduled.ts';
import { preparedUnit } from '../handler.ts';

export default preparedUnit('runSchedule', {
  // The conversation, which the unit locks; it never changes.
  prepare: async ({ tx, caller }, { schedule_id: id }) => {
    const row = caller && (await tx.get(scheduledById, idBytes(id), caller.key, 'schedule'));
    return row ? idText(row.chat_id) : null;
  },
  locks: ({ caller, prepared: chatId }) => [
    ...(chatId === null ? [] : [chat(chatId)]),
    householdOf(caller),
    account(caller.key),
  ],
  handle: async (call, { schedule_id: id }) => {
    requirePerson(call);
    const row = await requireScheduled(call, 'schedule', id);
    return scheduleRecord(await changeSchedule(call, row, { last: await sendOfSchedule(call, row) }));
  },
});
