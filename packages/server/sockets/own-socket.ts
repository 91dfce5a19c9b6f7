import type { Caller } from '../access/call.ts';
import type { Sockets } from './sockets.ts';
import { notFound } from '../core/errors.ts';
import type { SocketSession } from './session.ts';

/**
 * A live socket of the caller; for another account's socket the error is the same as for an unknown one (ERR-7). To an
 * access token only its own sockets are known: it must not change what another program, or the person's app, is sent.
 */
export function requireOwnSocket(sockets: Sockets, caller: Caller, id: string): SocketSession {
  const session = sockets.find(id);
  const isOwn = session?.caller.key === caller.key && (!caller.grant || session.caller.grant?.key === caller.grant.key);
  if (!session || !isOwn) throw notFound('socket');
  return session;
}
