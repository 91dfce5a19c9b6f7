import type { WebSocket } from 'ws';
import { expect, test } from 'vitest';
import { Pongs } from './pongs.ts';

/** A socket whose client reads pongs when the test tells it to. */
function start() {
  const answered: string[] = [];
  const inFlight: (() => void)[] = [];
  const socket = {
    readyState: 1,
    pong: (payload: Buffer, _mask: boolean, sent: () => void) => {
      answered.push(payload.toString());
      inFlight.push(sent);
    },
  };
  // `Pongs` uses only these two members of a socket.
  const pongs = new Pongs(socket as unknown as WebSocket);
  const ping = (from: number, to: number): void => {
    for (let at = from; at <= to; at += 1) pongs.answer(Buffer.from(String(at)));
  };
  return { socket, answered, inFlight, ping };
}

test('SOCKET-14: of pings that arrive while 32 pongs are in flight only the newest is answered', () => {
  const { answered, inFlight, ping } = start();
  ping(1, 100);
  expect(answered).toHaveLength(32);
  inFlight.shift()?.();
  expect(answered.slice(32)).toEqual(['100']);
  inFlight.shift()?.();
  expect(answered).toHaveLength(33);
});

test('SOCKET-14: a socket that is no longer open answers no ping', () => {
  const { socket, answered, inFlight, ping } = start();
  ping(1, 33);
  socket.readyState = 2;
  inFlight.shift()?.();
  ping(34, 34);
  expect(answered).toHaveLength(32);
});
