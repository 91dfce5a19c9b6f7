// Messages that the service sends for people at a later time, and reminders (SCHEDULE-1 …). A row of `scheduled` is
// deleted in the unit that sends its message, so no crash and no second node sends it twice.
import { type Input, limits, type Message, type Reminder, type ScheduledMessage } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { forbidden, invalid, notFound, ServiceError } from '../core/errors.ts';
import { accountScope } from '../core/event-kinds.ts';
import { idBytes, idText } from '../core/ids.ts';
import type { RawJson } from '../core/json.ts';
import { releaseScheduledFiles } from '../messages/attached-files.ts';
import {
  countScheduled,
  deleteScheduled,
  type ReminderRow,
  scheduledById,
  type ScheduledKind,
  type ScheduledRow,
} from '../store/scheduled.ts';
import { addStored } from '../store/stored-bytes.ts';
import type { MessageRecord } from '../store/messages.ts';
import type { Caller } from '../access/call.ts';
import { sendMessage } from './send-message.ts';

/** What a scheduled message stores: fields of sendMessage, with the service's own records of its files. */
export type ScheduledInput = Omit<Input<'scheduleMessage'>, 'chat_id' | 'clear_draft' | 'send_at'> & Via;

/** The access token with which it was written: its message says so too (ACCESS-10). */
export type Via = Pick<MessageRecord, 'via'>;
export const viaOf = ({ grant }: Caller): Via => (grant ? { via: { name: grant.name } } : {});

/** Why a scheduled message could not be sent. */
export type Failure = NonNullable<ScheduledMessage['failed']>;

// Written by scheduleMessage and editScheduledMessage.
export const inputOf = ({ input }: ScheduledRow): ScheduledInput => JSON.parse(input) as ScheduledInput;

export function scheduledRecord(row: ScheduledRow): ScheduledMessage {
  const { attachments = [], via: _via, ...input } = inputOf(row);
  return {
    id: idText(row.id),
    chat_id: idText(row.chat_id),
    ...input,
    // Stored as records of Attachment.
    attachments: attachments as ScheduledMessage['attachments'],
    send_at: new Date(row.due_at).toISOString(),
    created_at: new Date(row.created_at).toISOString(),
    // Written by failDue.
    ...(row.failure !== null && { failed: JSON.parse(row.failure) as Failure }),
  };
}

export const reminderRecord = (row: ReminderRow): Reminder => ({
  id: idText(row.id),
  chat_id: idText(row.chat_id),
  message_id: idText(row.message_id),
  remind_at: new Date(row.due_at).toISOString(),
  created_at: new Date(row.created_at).toISOString(),
});

export function requirePerson({ caller }: Pick<UnitCall, 'caller'>): void {
  if (caller.kind !== 'human') throw forbidden('only people schedule messages, and have reminders');
}

const most = { message: limits.scheduled, reminder: limits.reminders, schedule: limits.schedules };
const named = { message: 'scheduled message', reminder: 'reminder', schedule: 'schedule' };
const timeField = { message: 'send_at', reminder: 'remind_at', schedule: 'when' };

/** Throws if the caller would have too many of a kind, or too many bytes (SCHEDULE-3, SCHED-7). */
export async function assertRoomToSchedule(
  { tx, caller }: Pick<UnitCall, 'tx' | 'caller'>,
  kind: ScheduledKind,
  { count, bytes }: { count: number; bytes: number },
): Promise<void> {
  const known = await tx.get(countScheduled, caller.key, kind);
  if ((known?.count ?? 0) + count > most[kind])
    throw invalid(timeField[kind], `would be number ${most[kind] + 1}; cancel some first`);
  // getScheduledMessages returns all in one answer.
  if (bytes > 0 && (known?.bytes ?? 0) + bytes > limits.scheduledBytes)
    throw new ServiceError('too_large', 'the scheduled messages of this account would be too large', { field: 'text' });
}

/** A scheduled message, reminder or schedule of the caller; for every other account it does not exist. */
export async function requireScheduled(
  { tx, caller }: Pick<UnitCall, 'tx' | 'caller'>,
  kind: ScheduledKind,
  id: string,
  chatId?: string,
): Promise<ScheduledRow> {
  const row = await tx.get(scheduledById, idBytes(id), caller.key, kind);
  if (!row || (chatId !== undefined && idText(row.chat_id) !== chatId)) throw notFound(named[kind]);
  return row;
}

/** Lets the account's devices fetch again what it has scheduled in a conversation. */
export const announceScheduled = (call: Pick<UnitCall, 'emit'>, accountKey: number, chatId: Uint8Array): void =>
  call.emit({
    scope: accountScope(accountKey),
    kind: 'scheduledChanged',
    params: { conversation_id: idText(chatId) },
  });

/** Deletes a row, and gives its bytes back. Its files stay held until `releaseScheduledFiles`. */
async function takeOut(call: UnitCall, row: ScheduledRow): Promise<void> {
  await call.tx.run(deleteScheduled, row.key);
  if (row.input !== '') await call.tx.run(addStored, row.account_key, -Buffer.byteLength(row.input));
  announceScheduled(call, row.account_key, row.chat_id);
}

export async function dropScheduled(call: UnitCall, row: ScheduledRow): Promise<void> {
  await takeOut(call, row);
  await releaseScheduledFiles(call, row.key);
}

/** Sends a scheduled message of the caller by the rules that hold now. */
export async function sendScheduled(call: UnitCall, row: ScheduledRow): Promise<RawJson<Message>> {
  // First, so that its bytes do not count twice towards the quota.
  await takeOut(call, row);
  const { via, ...input } = inputOf(row);
  const message = await sendMessage(call, { ...input, chat_id: idText(row.chat_id) }, { via });
  // Last, so that the message holds its files before they are released.
  await releaseScheduledFiles(call, row.key);
  return message;
}
