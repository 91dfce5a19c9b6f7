import type { Caller } from '../access/call.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import { forbidden, ServiceError } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import { callerOf } from '../agents/caller-of.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import { type DueRow, dueScheduled } from '../store/scheduled.ts';
import type { Sql } from '../store/sql.ts';
import type { Due } from '../units/due-messages.ts';
import type { InternalUnits } from '../units/index.ts';

/** Maximum rows per pass; the next pass follows at once. */
const AT_ONCE = 200;

interface DueNeeds {
  read: Sql;
  units: Pick<UnitCallers<InternalUnits>, 'sendDue' | 'failDue' | 'remindDue' | 'runDue' | 'failRun' | 'dropEnded'>;
  now: () => number;
  /** True while nothing may be added: the service stops, or its disk is full. */
  isPaused: () => boolean;
}

/**
 * Sends the messages and reminders that are due, and runs the schedules. Only one node runs it, but two may do so for a
 * moment: each unit looks for its row again, and deletes it, or moves it to its next time, with the message that it
 * stores (SCHEDULE-5, SCHED-9).
 */
export async function sendDue(needs: DueNeeds): Promise<void> {
  while (!needs.isPaused()) {
    const due = await needs.read.all(dueScheduled, needs.now(), AT_ONCE);
    // The messages of one person are sent in their order.
    const byAccount = Map.groupBy(due, ({ account_key }) => account_key);
    const ended = await Promise.allSettled(Array.from(byAccount.values(), (rows) => sendInOrder(needs, rows)));
    // Thrown only now, because the next pass begins when this one has ended: two passes never run at once.
    const faults = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (faults.length > 0) throw new AggregateError(faults, 'failed to send what is due');
    if (due.length < AT_ONCE || ended.some((end) => end.status === 'fulfilled' && !end.value)) return;
  }
}

/** False if the service pauses or its store is unavailable: then the rest is sent later. */
async function sendInOrder(needs: DueNeeds, rows: readonly DueRow[]): Promise<boolean> {
  try {
    for (const row of rows) {
      if (needs.isPaused()) return false;
      await sendOne(needs, row);
    }
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}

async function sendOne(needs: DueNeeds, row: DueRow): Promise<void> {
  const { key, account_key: accountKey, chat_id } = row;
  const due = { key, accountKey, chat_id: idText(chat_id) };
  const author = await needs.read.get(accountByKey, accountKey);
  // What a deleted account had scheduled is deleted with it.
  if (!author) return;
  const caller = callerOf(author);
  try {
    await begin(needs, row, { due, author, caller });
  } catch (error) {
    if (!(error instanceof ServiceError) || isUnavailable(error)) throw error;
    const { code, message } = error;
    const failure = { code, message };
    if (row.kind === 'schedule') await needs.units.failRun({ ...due, username: author.username, failure });
    else await needs.units.failDue({ ...due, kind: row.kind, failure });
  }
}

interface DueOf {
  due: Due;
  author: AccountRow;
  caller: Caller;
}

async function begin({ units }: DueNeeds, { kind, state }: DueRow, { due, author, caller }: DueOf): Promise<void> {
  if (kind === 'reminder') await units.remindDue(due);
  else if (state === 'ended') await units.dropEnded({ ...due, username: author.username });
  else if (author.disabled_at !== null) throw forbidden('your account was disabled');
  else if (kind === 'schedule') await units.runDue(due, caller);
  else await units.sendDue(due, caller);
}

const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';
