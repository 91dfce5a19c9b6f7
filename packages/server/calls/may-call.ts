import { hasCome } from '@parley/protocol/dates';
import { isAtLeast, leastRole, type OperationName, type OperationPolicy, operations } from '@parley/protocol';
import type { Caller } from '../access/call.ts';
import { forbidden, ServiceError } from '../core/errors.ts';
import { assertTokenMayCall } from './token-scopes.ts';

/** Refuses an account that waits for approval (ENTER-6), and one without the second factor that it must have (FACTOR-6). */
export function assertTakesPart({ isPending, lacksFactor }: Caller, withoutFactor = false): void {
  if (isPending) throw forbidden('this account waits for approval');
  if (lacksFactor && !withoutFactor) throw forbidden('this service requires a second factor of you: set it up first');
}

/** What the policies of operations say of a caller, before anything that the call names is looked at (ROLE-2, ENTER-6, TOKEN-6, FACTOR-6). */
export function assertMayCall(name: OperationName, caller: Caller | null, now: number): void {
  const policy: OperationPolicy = operations[name].policy;
  // The transports have checked this; without a caller a call would otherwise run as the service itself.
  if (!caller) {
    if (policy.open) return;
    throw new ServiceError('unauthenticated', 'a valid access token is needed');
  }
  if (caller.grant) assertTokenMayCall(name, caller.grant, now);
  if (caller.limitedUntil !== undefined) {
    // Its sockets close at their next heartbeat.
    if (hasCome(caller.limitedUntil, now)) throw new ServiceError('unauthenticated', 'the session has expired');
    if (!policy.limitedSessions) throw forbidden('this token is only for taking part in conversations');
  }
  if (!policy.open && !policy.pending) assertTakesPart(caller, policy.withoutFactor);
  const least = leastRole(policy);
  if (isAtLeast(caller.role, least)) return;
  throw forbidden(least === 'member' ? 'guests may not do this' : `only for the role ${least} and above`);
}
