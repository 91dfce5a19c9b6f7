import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { loneSession } from '../test/helpers/lone-session.ts';

/** A socket whose reader reads everything, and the texts sent to it. */
function start() {
  const sent: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk.subarray(2).toString());
      done();
    },
  });
  return { ...loneSession(stream), sent };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('AUTH-7: an ending socket sends the replies that are due, no frame and no heartbeat, and closes', async () => {
  const { session, sent, closed } = start();
  session.end(4401, 'the session was ended');
  session.end(4401, 'again');
  session.sendFrames(Buffer.from('a frame'));
  session.tick();
  session.post('a reply');
  for (let turns = 0; turns < 3; turns += 1) await turn();
  expect([sent, closed, session.isOpen]).toEqual([['a reply'], [4401], false]);
});

test('SOCKET-11: a socket whose client does not complete the close handshake within 5 s is cut off', () => {
  const { session, clock, closed, cutOff } = start();
  session.close(1013, 'too many sockets of this account');
  session.close(1013, 'again');
  const check = (afterMs: number): boolean => session.check(clock.monotonic() + afterMs);
  expect([check(0), check(5_000), cutOff()]).toEqual([false, false, 0]);
  expect([check(5_001), cutOff()]).toEqual([false, 1]);
  expect(closed).toEqual([1013]);
});

test('SOCKET-8: a socket without a sign of life for 75 s is cut off', () => {
  const { session, clock, cutOff } = start();
  expect([session.check(clock.monotonic() + 75_000), cutOff()]).toEqual([true, 0]);
  expect([session.check(clock.monotonic() + 75_001), cutOff()]).toEqual([false, 1]);
});

test('a socket that its client closes takes no request and sends nothing', () => {
  const { session, socket, sent, closed } = start();
  socket.readyState = 2;
  session.sendText('a snapshot');
  session.post('a reply');
  session.sendReplies(Buffer.from('a frame'));
  session.close(1013, 'too slow');
  expect([sent, closed, session.isOpen, session.mayReply()]).toEqual([[], [], false, false]);
});

test('SOCKET-9: an idle socket whose heartbeat was answered sends frames and counts bytes like a new one', async () => {
  const { session, sent, pings, clock } = start();
  session.connection.heard();
  session.sendFrames(Buffer.from('..one'));
  session.rest();
  session.connection.ping();
  session.connection.pong(Buffer.from(pings.at(-1) ?? ''));
  session.sendFrames(Buffer.from('..two'));
  session.connection.ping();
  expect([sent, pings]).toEqual([
    ['one', 'two'],
    ['5', '5'],
  ]);
  await clock.advance(101);
  session.connection.pong(Buffer.from('5'));
  expect(session.connection.isSlow).toBe(false);
});
