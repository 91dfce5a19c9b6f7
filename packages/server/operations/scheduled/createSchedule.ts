import type { Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import { householdOf, type LockRule } from '../../commits/unit-locks.ts';
import { announceScheduled, assertRoomToSchedule, requirePerson, viaOf } from '../../conversations/scheduled.ts';
import { requireAgentIn, requireTimes, type ScheduleInput, scheduleRecord } from '../../conversations/schedules.ts';
import { checkMessage } from '../../conversations/send-message.ts';
import { assertRoomToSay } from '../../files/storage-quota.ts';
import { timesAfter } from '../../rules/schedule-times.ts';
import { requireChat } from '../../access/chats.ts';
import { insertScheduled, scheduledByClientId, scheduledByKey } from '../../store/scheduled.ts';
import { growStored } from '../../store/stored-bytes.ts';
import { unit } from '../handler.ts';

// As scheduleMessage: locks the account, the household, and the conversation.
const locks: LockRule<Input<'createSchedule'>> = ({ caller, input }) => [
  account(caller.key),
  householdOf(caller),
  chatAsItIs(input.chat_id),
];

export default unit('createSchedule', { locks }, async (call, { chat_id, client_msg_id, ...content }) => {
  const { tx, caller, now } = call;
  const chat = await requireChat(call, chat_id);
  requirePerson(call);
  if (client_msg_id !== undefined) {
    const known = await tx.get(scheduledByClientId, caller.key, chat.key, client_msg_id, 'schedule');
    // A retry (SCHED-1).
    if (known) return scheduleRecord(known);
  }
  const [dueAt] = timesAfter(requireTimes(now, content.when), now, 1);
  if (dueAt === undefined) throw new Error('a time to come is after now');
  await checkMessage(call, chat, content);
  await requireAgentIn(call, chat.key, content.agent_username);
  const stored: ScheduleInput = { ...content, ...viaOf(caller) };
  const text = JSON.stringify(stored);
  const bytes = Buffer.byteLength(text);
  await assertRoomToSchedule(call, 'schedule', { count: 1, bytes });
  await assertRoomToSay(call, caller.key, bytes);

  const id = call.newId();
  const clientMsgId = client_msg_id ?? null;
  const made = await tx.get(
    insertScheduled,
    id,
    caller.key,
    chat.key,
    'schedule',
    null,
    dueAt,
    'active',
    clientMsgId,
    text,
    now,
  );
  const row = made && (await tx.get(scheduledByKey, made.key));
  if (!row) throw new Error('an INSERT … RETURNING gave no row');
  await tx.run(growStored, caller.ownerKey, bytes);
  announceScheduled(call, caller.key, row.chat_id);
  return scheduleRecord(row);
});
