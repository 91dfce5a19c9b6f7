// What the service does for people at a later time: messages that it sends, schedules of messages, and reminders
// (SCHEDULE-1 …, SCHED-1 …).
import { isVisibleTo } from './messages.ts';
import { statement } from './sql.ts';

export interface ScheduledRow {
  key: number;
  id: Uint8Array;
  account_key: number;
  chat_key: number;
  chat_id: Uint8Array;
  /** Of a reminder. */
  message_id: Uint8Array | null;
  due_at: number;
  /** Of a schedule its own states, of the others `waiting` and `failed`. */
  state: 'waiting' | 'failed' | ScheduleState;
  /** JSON of why it could not be sent. */
  failure: string | null;
  client_msg_id: string | null;
  /** JSON: the fields of sendMessage, or what a schedule sends and when; empty for a reminder. */
  input: string;
  created_at: number;
  /** JSON of the last run of a schedule. */
  last: string | null;
}

/** A reminder of a message that exists. */
export type ReminderRow = ScheduledRow & { message_id: Uint8Array };

export type ScheduledKind = 'message' | 'reminder' | 'schedule';
export const scheduledKinds: readonly ScheduledKind[] = ['message', 'reminder', 'schedule'];

/** A schedule's `due_at` is its next time, of an ended one when it is deleted; of a paused one it says nothing. */
export type ScheduleState = 'active' | 'paused' | 'ended';

const columns = `s.key, s.id, s.account_key, s.chat_key, c.id AS chat_id, m.id AS message_id, s.due_at, s.state,
     s.failure, s.client_msg_id, s.input, s.created_at, s.last
   FROM scheduled s JOIN chats c ON c.key = s.chat_key LEFT JOIN messages m ON m.key = s.message_key`;

export const insertScheduled = statement<
  { key: number },
  [
    id: Uint8Array,
    account: number,
    chat: number,
    kind: ScheduledKind,
    message: number | null,
    dueAt: number,
    state: 'waiting' | 'active',
    clientMsgId: string | null,
    input: string,
    now: number,
  ]
>(
  `INSERT INTO scheduled (id, account_key, chat_key, kind, message_key, due_at, state, client_msg_id, input, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING key`,
);
export const scheduledByKey = statement<ScheduledRow, [key: number]>(`SELECT ${columns} WHERE s.key = $1`);
export const scheduledById = statement<ScheduledRow, [id: Uint8Array, account: number, kind: ScheduledKind]>(
  `SELECT ${columns} WHERE s.id = $1 AND s.account_key = $2 AND s.kind = $3`,
);
export const scheduledByClientId = statement<
  ScheduledRow,
  [account: number, chat: number, clientMsgId: string, kind: ScheduledKind]
>(`SELECT ${columns} WHERE s.account_key = $1 AND s.chat_key = $2 AND s.client_msg_id = $3 AND s.kind = $4`);
export const countScheduled = statement<{ count: number; bytes: number }, [account: number, kind: ScheduledKind]>(
  `SELECT count(*) AS count, coalesce(sum(octet_length(input)), 0) AS bytes FROM scheduled
   WHERE account_key = $1 AND kind = $2 AND state <> 'ended'`,
);
/** Everything that an account has scheduled, soonest first. */
export const scheduledOf = statement<ScheduledRow, [account: number, kind: ScheduledKind]>(
  `SELECT ${columns} WHERE s.account_key = $1 AND s.kind = $2 ORDER BY s.due_at, s.key`,
);
export const scheduledIn = statement<ScheduledRow, [account: number, chat: number]>(
  `SELECT ${columns} WHERE s.account_key = $1 AND s.chat_key = $2`,
);
/** Reminders of messages that the account can still see, soonest first. */
export const remindersOf = statement<ReminderRow, [account: number]>(
  `SELECT ${columns} JOIN participants p ON p.chat_key = s.chat_key AND p.account_key = s.account_key
   WHERE s.account_key = $1 AND s.kind = 'reminder' AND ${isVisibleTo('s.account_key')}
   ORDER BY s.due_at, s.key`,
);
/** Deletes the reminders of messages that the account cannot see any more. */
export const dropLostReminders = statement<never, [account: number]>(
  `DELETE FROM scheduled WHERE account_key = $1 AND kind = 'reminder' AND NOT EXISTS (
     SELECT 1 FROM messages m JOIN participants p ON p.chat_key = m.chat_key AND p.account_key = $1
     WHERE m.key = scheduled.message_key AND ${isVisibleTo('$1')})`,
);
export const reminderOf = statement<ScheduledRow, [account: number, message: number]>(
  `SELECT ${columns} WHERE s.account_key = $1 AND s.kind = 'reminder' AND s.message_key = $2`,
);
export const reschedule = statement<never, [key: number, input: string, dueAt: number]>(
  `UPDATE scheduled SET input = $2, due_at = $3, state = 'waiting', failure = NULL WHERE key = $1`,
);
export const failScheduled = statement<never, [key: number, failure: string]>(
  `UPDATE scheduled SET state = 'failed', failure = $2 WHERE key = $1`,
);
export const setSchedule = statement<never, [key: number, state: ScheduleState, dueAt: number, last: string | null]>(
  'UPDATE scheduled SET state = $2, due_at = $3, last = $4 WHERE key = $1',
);
/** The ended schedules of an account but the newest `kept` ones. */
export const olderEnded = statement<ScheduledRow, [account: number, kept: number]>(
  `SELECT ${columns} WHERE s.account_key = $1 AND s.kind = 'schedule' AND s.state = 'ended'
   ORDER BY s.due_at DESC, s.key DESC LIMIT 1000 OFFSET $2`,
);
export const deleteScheduled = statement<never, [key: number]>('DELETE FROM scheduled WHERE key = $1');

/** What is due, with what its units lock. */
export interface DueRow {
  key: number;
  kind: ScheduledKind;
  state: ScheduledRow['state'];
  account_key: number;
  chat_id: Uint8Array;
}
const dueIn = (state: string): string =>
  `SELECT key, kind, state, account_key, chat_key, due_at FROM scheduled
   WHERE ${state} AND due_at <= $1 ORDER BY due_at, key LIMIT $2`;
/** Messages and reminders to be sent, schedules to be run, and ended ones to be deleted, each by its index. */
export const dueScheduled = statement<DueRow, [now: number, limit: number]>(
  `SELECT s.key, s.kind, s.state, s.account_key, c.id AS chat_id FROM (
     SELECT * FROM (${dueIn("state = 'waiting'")}) waiting
     UNION ALL SELECT * FROM (${dueIn("kind = 'schedule' AND state = 'active'")}) active
     UNION ALL SELECT * FROM (${dueIn("kind = 'schedule' AND state = 'ended'")}) ended
   ) s JOIN chats c ON c.key = s.chat_key ORDER BY s.due_at, s.key LIMIT $2`,
);

export const insertScheduledFile = statement<never, [scheduled: number, file: number]>(
  'INSERT INTO scheduled_files (scheduled_key, file_key) VALUES ($1, $2)',
);
export const deleteScheduledFiles = statement<{ file_key: number }, [scheduled: number]>(
  'DELETE FROM scheduled_files WHERE scheduled_key = $1 RETURNING file_key',
);
