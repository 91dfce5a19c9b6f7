import { type AuditEntry, plainAddress, writeAudit } from '../commits/audit.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit, nothing } from '../commits/unit-locks.ts';
import { accountByName } from '../store/accounts.ts';
import { failuresOf, failuresSince } from '../store/audit.ts';

export interface Refusal {
  action: string;
  entry: AuditEntry;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Maximum rows of refused calls in an hour, so that a million attempts do not fill the disk: from one address, in all. */
const PER_ADDRESS = 20;
const IN_ALL = 120;

/**
 * Adds the row of a refused call, unless there were too many in the last hour; the last one before that says so. The
 * first one in a day that names an account is added in any case, so that a flood cannot hide an attack on it (AUDIT-6).
 */
export const noteRefusal = internalUnit(
  { locks: nothing },
  async (call: UnitCall, { action, entry }: Refusal): Promise<void> => {
    const { tx, now } = call;
    const address = plainAddress(call.address);
    const counts = await tx.get(failuresSince, now - HOUR_MS, action, address ?? '');
    const [here, inAll] = [counts?.here ?? 0, counts?.total ?? 0];
    const isOver = here >= PER_ADDRESS || inAll >= IN_ALL;
    if (isOver && !(await isFirstOfAccount(call, action, entry))) return;
    const isLast = here === PER_ADDRESS - 1 || inAll === IN_ALL - 1;
    const details = { ...entry.details, ...(isLast && { and_more: true }) };
    await writeAudit(call, action, { ...entry, details });
  },
);

async function isFirstOfAccount({ tx, now }: UnitCall, action: string, { target }: AuditEntry): Promise<boolean> {
  if (target === undefined || !(await tx.get(accountByName, target))) return false;
  return ((await tx.get(failuresOf, now - DAY_MS, action, target))?.count ?? 0) === 0;
}
