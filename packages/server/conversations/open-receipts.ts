import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Sql } from '../store/sql.ts';
import { ReadReceipts } from './read-receipts.ts';

interface RoomsAbove {
  clock: Clock;
  logger: FaultLogger;
  read: Sql;
  log: EventLog;
}

export function openReceipts({ clock, logger, read, log }: RoomsAbove, opened: Closers): ReadReceipts {
  const receipts = new ReadReceipts({
    clock,
    read,
    publish: (event) => log.publishTransient(event),
    onFault: logFaults(logger, 'failed to publish read receipts'),
  });
  opened.defer(() => receipts.close());
  return receipts;
}
