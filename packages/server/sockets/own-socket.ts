import type { Caller } from '../access/call.ts';
import type { Sockets } from './sockets.ts';
import { notFound } from '../core/errors.ts';
import type { SocketSession } from './session.ts';

/** A live socket of the caller; for another account's socket the error is the same as for an unknown one (ERR-7). */
export function requireOwnSocket(sockets: Sockets, caller: Caller, id: string): SocketSession {
  const session = sockets.find(id);
  if (!session || session.caller.key !== caller.key) throw notFound('socket');
  return session;
}
