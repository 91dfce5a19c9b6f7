import { type AccountRole, isAtLeast } from '@parley/protocol';
import { forbidden } from '../core/errors.ts';

/** Throws 403 for a role below the least that may call an operation (ROLE-2). */
export function assertLeast(role: AccountRole, least: AccountRole): void {
  if (isAtLeast(role, least)) return;
  throw forbidden(least === 'member' ? 'guests may not do this' : `only for the role ${least} and above`);
}
