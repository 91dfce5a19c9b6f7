import { type ReadCall, read } from '../handler.ts';
import { replay } from '../../log/replay.ts';
import { agreedSubscription, type Subscription } from '../../log/caps.ts';
import type { SocketSession } from '../../sockets/session.ts';
import { requireOwnSocket } from '../../sockets/own-socket.ts';

export default read('getUpdates', async (call, input) => {
  const { service, caller } = call;
  const socket = socketOf(call, input.socket);
  const { classes, focus } = socket ? { classes: socket.classes, focus: socket.view?.focus } : await ofToken(call);
  const { frames, head, more, truncated } = await replay(service, {
    accountKey: caller.key,
    ownerKey: caller.ownerKey,
    classes,
    focus,
    since: input.since,
    limit: input.limit,
    head: (through) => (socket && headOf(socket)) ?? service.hub.headOf(caller.key, classes, through),
  });
  // Frames are JSON text of what the declaration says.
  return { frames: frames as never, head, more: more || undefined, truncated: truncated || undefined };
});

/** Where a socket stands; undefined before it is greeted. A replay leaves out nothing, so from here on it stands as its view. */
function headOf(socket: SocketSession): number | undefined {
  socket.ownLast = null;
  return socket.view?.last;
}

/** The socket through whose caps the caller looks: the named one, else the calling one (LOG-7). */
function socketOf(call: ReadCall, named: string | undefined): SocketSession | undefined {
  if (named !== undefined) return requireOwnSocket(call, named);
  return call.socketId === undefined ? undefined : call.service.sockets.find(call.socketId);
}

/** Over HTTP: what all live sockets receive that were opened with the caller's token (LOG-18). */
async function ofToken({ service, caller: { key, sessionKey } }: ReadCall): Promise<Subscription> {
  const elsewhere = await service.others.subscriptionsOf(key, sessionKey);
  // A node that did not answer may have a socket with other caps.
  const known = elsewhere ? [...service.sockets.subscriptionsOf(key, sessionKey), ...elsewhere] : [];
  return agreedSubscription(known);
}
