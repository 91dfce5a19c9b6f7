import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { forbidden } from '../../core/errors.ts';

/** Over a socket it also sets which accounts' changes that socket is sent (PRESENCE-4). */
export default read(
  'getPresence',
  async ({ caller, socketId }, { usernames }, rooms: Needs<'presence' | 'sockets'>) => {
    if (caller.kind !== 'human') throw forbidden('an agent cannot ask who is online');
    const session = socketId === undefined ? undefined : rooms.sockets.find(socketId);
    return { items: await rooms.presence.ask(caller.key, [...new Set(usernames)], session) };
  },
);
