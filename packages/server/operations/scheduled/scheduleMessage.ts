import type { Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import { householdOf, type LockRule } from '../../commits/unit-locks.ts';
import { checkMessage, clearDraftOf } from '../../conversations/send-message.ts';
import {
  announceScheduled,
  assertRoomToSchedule,
  requirePerson,
  type ScheduledInput,
  scheduledRecord,
  viaOf,
} from '../../conversations/scheduled.ts';
import { conflict } from '../../core/errors.ts';
import { requireLater } from '../../core/later-time.ts';
import { assertRoomToSay } from '../../files/storage-quota.ts';
import { holdScheduledFiles } from '../../messages/attached-files.ts';
import { requireChatToSend } from '../../access/chats.ts';
import { insertScheduled, scheduledByClientId, scheduledByKey } from '../../store/scheduled.ts';
import { growStored } from '../../store/stored-bytes.ts';
import { unit } from '../handler.ts';

// Locks the account: its scheduled messages are counted. Locks the household, whose stored bytes are counted, and the
// conversation, so that the account does not leave it meanwhile.
const locks: LockRule<Input<'scheduleMessage'>> = ({ caller, input }) => [
  account(caller.key),
  householdOf(caller),
  chatAsItIs(input.chat_id),
];

export default unit('scheduleMessage', { locks }, async (call, input) => {
  const { tx, caller, now } = call;
  const { chat_id: chatId, send_at: sendAt, clear_draft: _clear, ...content } = input;
  const chat = await requireChatToSend(call, chatId, input.client_msg_id);
  requirePerson(call);
  if (input.client_msg_id !== undefined) {
    const known = await tx.get(scheduledByClientId, caller.key, chat.key, input.client_msg_id, 'message');
    // A retry (SCHEDULE-2).
    if (known) return scheduledRecord(known);
    if (chat.sent_key !== null) throw conflict('a message with this client_msg_id was sent already');
  }
  const dueAt = requireLater(now, 'send_at', sendAt);
  const { timeline, files } = await checkMessage(call, chat, input);
  const stored: ScheduledInput = { ...content, attachments: [...files.attachments], ...viaOf(caller) };
  const text = JSON.stringify(stored);
  const bytes = Buffer.byteLength(text);
  await assertRoomToSchedule(call, 'message', { count: 1, bytes });
  await assertRoomToSay(call, caller.key, bytes);

  const id = call.newId();
  const clientMsgId = input.client_msg_id ?? null;
  const made = await tx.get(
    insertScheduled,
    id,
    caller.key,
    chat.key,
    'message',
    null,
    dueAt,
    'waiting',
    clientMsgId,
    text,
    now,
  );
  const row = made && (await tx.get(scheduledByKey, made.key));
  if (!row) throw new Error('an INSERT … RETURNING gave no row');
  await holdScheduledFiles(call, row.key, files);
  await tx.run(growStored, caller.ownerKey, bytes);
  announceScheduled(call, caller.key, row.chat_id);
  await clearDraftOf(call, chat, timeline, input);
  return scheduledRecord(row);
});
