// Following the update log: missed frames, and the focus of a socket.
import { type ReadCall, read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { replay } from '../../recovery/replay.ts';
import type { ReplayRooms } from '../../recovery/request.ts';
import { conversationsOf } from '../../access/grant-conversations.ts';
import { agreedFilter, type EventFilter } from '../../log/caps.ts';
import type { SocketSession } from '../../sockets/session.ts';
import type { Sockets } from '../../sockets/sockets.ts';
import { requireOwnSocket } from '../../sockets/own-socket.ts';

type UpdateRooms = ReplayRooms & Needs<'sockets' | 'peers'>;

export default read(
  'getUpdates',
  async (call, input, rooms: UpdateRooms) => {
    const { caller } = call;
    const socket = socketOf(call, rooms.sockets, input.socket);
    const { classes, focus } = socket
      ? { classes: socket.classes, focus: socket.subscription?.focus }
      : await ofToken(call, rooms);
    const { frames, head, more, truncated } = await replay(rooms, {
      accountKey: caller.key,
      ownerKey: caller.ownerKey,
      classes,
      focus,
      since: input.since,
      within: caller.grant && (await conversationsOf(call.tx, caller.grant)),
      ...(socket && { alone: socket.alone }),
      limit: input.limit,
      head: (through) => (socket && headOf(socket)) ?? rooms.hub.headOf(caller.key, classes, through),
    });
    // Frames are JSON text of the declared type.
    return { frames: frames as never, head, more: more || undefined, truncated: truncated || undefined };
  },
  { worksOn: ({ socket: id }) => (id === undefined ? undefined : { kind: 'socket', id }) },
);

/**
 * The socket's head; undefined before its hello. A replay contains everything, so from here on the socket is at the
 * same number as its subscription.
 */
function headOf(socket: SocketSession): number | undefined {
  socket.ownLast = null;
  return socket.subscription?.last;
}

/** The socket whose caps apply: the named one, otherwise the calling one (LOG-7). */
function socketOf(call: ReadCall, sockets: Sockets, named: string | undefined): SocketSession | undefined {
  if (named !== undefined) return requireOwnSocket(sockets, call.caller, named);
  return call.socketId === undefined ? undefined : sockets.find(call.socketId);
}

/** Over HTTP: the common filter of all live sockets that were opened with the caller's token (LOG-18). */
async function ofToken(
  { caller: { key, sessionKey, grant } }: ReadCall,
  { peers, sockets }: UpdateRooms,
): Promise<EventFilter> {
  // The sockets of an access token are not counted: without its own, it gets what a socket without caps does.
  if (grant) return agreedFilter([]);
  const elsewhere = await peers.subscriptionsOf(key, sessionKey);
  // A node that did not answer may have a socket with other caps.
  const known = elsewhere ? [...sockets.subscriptionsOf(key, sessionKey), ...elsewhere] : [];
  return agreedFilter(known);
}
