import { type ReadCall, read } from '../../call.ts';
import { replay } from '../../events/replay.ts';
import { allClasses } from '../../sockets/caps.ts';
import type { SocketSession } from '../../sockets/session.ts';
import { requireOwnSocket } from './own-socket.ts';

export default read('getUpdates', async (call, input) => {
  const { service, caller } = call;
  const socket = socketOf(call, input.socket);
  const { frames, head, more, truncated } = await replay(service, {
    accountKey: caller.key,
    classes: socket?.classes ?? allClasses,
    focus: socket?.view?.focus,
    since: input.since,
    limit: input.limit,
    head: (through) => socket?.view?.last ?? service.hub.headOf(caller.key, allClasses, through),
  });
  // Frames are JSON text of what the declaration says.
  return { frames: frames as never, head, more: more || undefined, truncated: truncated || undefined };
});

/** The socket through whose caps the caller looks: the named one, else the calling one (LOG-7). */
function socketOf(call: ReadCall, named: string | undefined): SocketSession | undefined {
  if (named !== undefined) return requireOwnSocket(call, named);
  return call.socketId === undefined ? undefined : call.service.sockets.find(call.socketId);
}
