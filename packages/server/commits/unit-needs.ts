import { appending, callOrder } from './lock-names.ts';
import type { UnitHandler } from './unit-context.ts';
import { isLock, type LockRule, type Need } from './unit-locks.ts';
import type { UnitRequest } from './unit-runner.ts';

/** The locks of a request; 'all' for a unit that declares none. The units of one caller run in order (SOCKET-4). */
export function needsOf(
  unit: Pick<UnitHandler, 'locks'> | undefined,
  { caller, input, prepared }: UnitRequest,
): readonly Need[] | 'all' {
  // A rule receives the same input and prepared value as its unit.
  const rule = unit?.locks as LockRule<unknown, unknown> | undefined;
  if (rule === undefined || rule === 'all') return 'all';
  const needs = rule({ caller, input, prepared });
  if (needs === 'all' || caller.key === 0) return needs;
  const order = callOrder(caller.key);
  return [...needs, needs.some((need) => isLock(need) && need.isAppend) ? appending(order) : order];
}
