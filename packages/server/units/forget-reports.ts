import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { deleteReporters, deleteReports, dueReports, endReport, oldReports } from '../store/reports.ts';

/** Maximum reports at once, so that other writes do not wait long; the next run goes on. */
const MAX_AT_ONCE = 500;
const HOUR_MS = 3_600_000;
/** How long it is known what came of a report (REPORT-5). */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** How long an open report and its copy are kept: 30 days at the latest, and this unit runs once an hour. */
const OPEN_MS = KEPT_MS - 2 * HOUR_MS;

/** Ends reports that nobody has looked at, and forgets those that were resolved long ago. */
export const forgetReports = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  for (const { key } of await tx.all(dueReports, now - OPEN_MS, MAX_AT_ONCE))
    await tx.run(endReport, key, null, 'expired', null, now);
  const old = (await tx.all(oldReports, now - KEPT_MS, MAX_AT_ONCE)).map(({ key }) => key);
  if (old.length === 0) return;
  await tx.list(deleteReporters, old);
  await tx.list(deleteReports, old);
});
