import { Share } from '../../core/slices.ts';
import type { Duplex, Writable } from 'node:stream';
import { ManualClock } from '@parley/testing';
import type { WebSocket } from 'ws';
import type { Hub, Subscription } from '../../log/hub.ts';
import { SocketSession } from '../../sockets/session.ts';

/** A session that has joined a hub, without a service: the test sees what it writes, and its pings and closes. */
export function loneSession(stream: Writable) {
  const clock = new ManualClock();
  const pings: string[] = [];
  const closed: number[] = [];
  let cutOff = 0;
  const socket = {
    readyState: 1,
    pause: () => {},
    resume: () => {},
    ping: (text: string) => void pings.push(text),
    close: (code: number) => void closed.push(code),
    terminate: () => void (cutOff += 1),
  };
  const share = new Share();
  const session = new SocketSession({
    id: 'alone',
    // Only the methods that the session calls on its socket, its stream and the hub.
    socket: socket as unknown as WebSocket,
    stream: stream as unknown as Duplex,
    hub: { reply: () => {}, attended: () => {} } as unknown as Hub,
    caller: {
      key: 1,
      ownerKey: 1,
      username: 'alice',
      displayName: 'alice',
      kind: 'human',
      role: 'member',
      sessionKey: null,
    },
    address: '',
    classes: 0,
    within: null,
    clock,
    methods: {
      call: async () => undefined,
      isRead: () => false,
      isPage: () => false,
      shareOf: () => share,
      admitJson: () => {},
      countRefusal: () => {},
    },
  });
  session.joined({ last: 0 } as Subscription); // the session reads only its subscription's position
  return { session, socket, clock, pings, closed, cutOff: () => cutOff };
}
