import type { Call } from '../access/call.ts';
import { ServiceError } from '../core/errors.ts';
import { sessionIdOf } from '../store/notifications.ts';

/** The public id of the caller's session; null for a token without one, 401 for a session that has just ended. */
export async function currentSessionId({ tx, caller }: Pick<Call, 'tx' | 'caller'>): Promise<Uint8Array | null> {
  if (caller.sessionKey === null) return null;
  const session = await tx.get(sessionIdOf, caller.sessionKey, caller.key);
  if (!session) throw new ServiceError('unauthenticated', 'the session has ended');
  return session.id;
}
