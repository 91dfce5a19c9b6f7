import type { UnitCallers } from '../commits/unit-callers.ts';
import { forbidden, ServiceError } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import { callerOf } from '../agents/turn-units.ts';
import { accountByKey } from '../store/accounts.ts';
import { type DueRow, dueScheduled } from '../store/scheduled.ts';
import type { Sql } from '../store/sql.ts';
import type { InternalUnits } from '../units/index.ts';

/** Maximum rows per pass; the next pass follows at once. */
const AT_ONCE = 200;

interface Ports {
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
export async function sendDue(ports: Ports): Promise<void> {
  while (!ports.isPaused()) {
    const due = await ports.read.all(dueScheduled, ports.now(), AT_ONCE);
    // The messages of one person are sent in their order.
    const byAccount = Map.groupBy(due, ({ account_key }) => account_key);
    const sent = await Promise.all(Array.from(byAccount.values(), (rows) => sendInOrder(ports, rows)));
    if (due.length < AT_ONCE || sent.includes(false)) return;
  }
}

/** False if the store is unavailable: then the rest is sent later. */
async function sendInOrder({ read, units, isPaused }: Ports, rows: readonly DueRow[]): Promise<boolean> {
  for (const { key, kind, account_key: accountKey, chat_id } of rows) {
    if (isPaused()) return false;
    const due = { key, accountKey, chat_id: idText(chat_id) };
    try {
      const author = await read.get(accountByKey, accountKey);
      if (kind === 'reminder') await units.remindDue(due);
      else if (author?.disabled_at === null) await units.sendDue(due, callerOf(author));
      else throw forbidden('your account was disabled');
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error;
      const { code, message } = error;
      await units.failDue({ ...due, failure: { code, message } });
    }
  }
  return true;
}
