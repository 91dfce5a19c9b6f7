import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { loneSession } from '../test/helpers/lone-session.ts';

const MiB = 1024 * 1024;

/** A socket whose client reads when the test tells it to. */
function start() {
  const unread: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, done) => void unread.push(done) });
  const { session, closed } = loneSession(stream);
  const reply = (bytes: number) => {
    session.post('x'.repeat(bytes));
    session.sendReplies(null);
  };
  const read = () => {
    for (const done of unread.splice(0)) done();
  };
  return { session, reply, read, closed, stream };
}

test('SOCKET-5, SOCKET-10: a client that reads receives a reply of more than 8 MiB completely', () => {
  const { reply, read, closed } = start();
  reply(9 * MiB);
  expect(closed).toEqual([]);
  read();
  reply(100);
  read();
  reply(9 * MiB);
  expect(closed).toEqual([]);
});

test('SOCKET-10: a socket with more than 8 MiB of unread replies is closed at the next reply', () => {
  const { reply, closed } = start();
  // The ninth reply is written while slightly less than 8 MiB are unread.
  for (let sent = 0; sent < 9; sent += 1) reply(MiB - 100);
  expect(closed).toEqual([]);
  reply(100);
  expect(closed).toEqual([1013]);
});

test('SOCKET-10: a socket with more than 8 MiB of unread replies is also closed at the next text outside the log', () => {
  const { session, reply, closed } = start();
  reply(9 * MiB);
  session.sendReplies(Buffer.from('a frame'));
  expect(closed).toEqual([1013]);
  const other = start();
  other.reply(9 * MiB);
  other.session.sendText('a snapshot');
  expect(other.closed).toEqual([1013]);
});
