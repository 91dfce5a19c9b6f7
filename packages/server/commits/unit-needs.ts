import { callOrder } from './lock-names.ts';
import type { UnitHandler } from './unit-context.ts';
import type { LockRule, Need } from './unit-locks.ts';
import type { UnitRequest } from './unit-runner.ts';

/** The locks of one request; 'all' for a unit that declares none. One caller's units run in their order (SOCKET-4). */
export function needsOf(
  unit: Pick<UnitHandler, 'locks'> | undefined,
  { caller, input, prepared }: UnitRequest,
): readonly Need[] | 'all' {
  // Each rule is given the input and the prepared value that its unit is given.
  const rule = unit?.locks as LockRule<unknown, unknown> | undefined;
  if (rule === undefined || rule === 'all') return 'all';
  const needs = rule({ caller, input, prepared });
  return caller.key === 0 ? needs : [...needs, callOrder(caller.key)];
}
