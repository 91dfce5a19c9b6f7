import { type ReadCall, read } from '../../call.ts';
import { notFound } from '../../errors.ts';
import { replay } from '../../events/replay.ts';
import { allClasses } from '../../sockets/caps.ts';
import type { SocketSession } from '../../sockets/session.ts';

export default read('getUpdates', async (call, input) => {
  const { service, caller } = call;
  const socket = socketOf(call, input.socket);
  const { frames, head, more, truncated } = await replay(service, {
    accountKey: caller.key,
    classes: socket?.classes ?? allClasses,
    since: input.since,
    limit: input.limit,
    head: () => socket?.view?.last ?? service.hub.headOf(caller.key, allClasses),
  });
  // Frames are JSON text of what the declaration says.
  return { frames: frames as never, head, more: more || undefined, truncated: truncated || undefined };
});

/** The socket through whose caps the caller looks: their own, or 404 (LOG-7). */
function socketOf({ service, caller, socketId }: ReadCall, named: string | undefined): SocketSession | undefined {
  const id = named ?? socketId;
  if (id === undefined) return undefined;
  const session = service.sockets.find(id);
  if (session && session.caller.key === caller.key) return session;
  if (named === undefined) return undefined;
  throw notFound('socket');
}
