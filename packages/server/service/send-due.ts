import type { UnitCallers } from '../commits/unit-callers.ts';
import { forbidden, ServiceError } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import { callerOf } from '../agents/caller-of.ts';
import { accountByKey } from '../store/accounts.ts';
import { type DueRow, dueScheduled } from '../store/scheduled.ts';
import type { Sql } from '../store/sql.ts';
import type { InternalUnits } from '../units/index.ts';

/** Maximum rows per pass; the next pass follows at once. */
const AT_ONCE = 200;

interface DueNeeds {
  read: Sql;
  units: Pick<UnitCallers<InternalUnits>, 'sendDue' | 'failDue' | 'remindDue'>;
  now: () => number;
  /** True while nothing may be added: the service stops, or its disk is full. */
  isPaused: () => boolean;
}

/**
 * Sends the messages and reminders that are due. Only one node runs it, but two may do so for a moment: each unit looks
 * for its row again, and deletes it with the message that it stores (SCHEDULE-5).
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

async function sendOne(
  { read, units }: DueNeeds,
  { key, kind, account_key: accountKey, chat_id }: DueRow,
): Promise<void> {
  const due = { key, accountKey, chat_id: idText(chat_id) };
  try {
    const author = await read.get(accountByKey, accountKey);
    if (kind === 'reminder') await units.remindDue(due);
    else if (author?.disabled_at === null) await units.sendDue(due, callerOf(author));
    else throw forbidden('your account was disabled');
  } catch (error) {
    if (!(error instanceof ServiceError) || isUnavailable(error)) throw error;
    const { code, message } = error;
    await units.failDue({ ...due, kind, failure: { code, message } });
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';
