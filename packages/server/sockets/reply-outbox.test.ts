import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { ReplyOutbox } from './reply-outbox.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** A stream whose reader reads when the test tells it to. */
function start() {
  const unread: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, done) => void unread.push(done) });
  const outbox = new ReplyOutbox();
  let sent = 0;
  const write = (replies: Buffer): void => outbox.write(stream, replies, () => (sent += 1));
  const read = async (): Promise<void> => {
    for (const done of unread.splice(0)) done();
    await new Promise(setImmediate);
  };
  return { outbox, stream, write, read, sent: () => sent };
}

test('SOCKET-6: only the first reply requests a write, which takes all of them in their order', () => {
  const { outbox } = start();
  expect([outbox.add(Buffer.from('a')), outbox.add(Buffer.from('b'))]).toEqual([true, false]);
  expect(outbox.take()?.toString()).toBe('ab');
  expect(outbox.take()).toBeNull();
  expect(outbox.add(Buffer.from('c'))).toBe(true);
});

test('SOCKET-10: no further request begins while queued and unsent replies together exceed 256 KiB', async () => {
  const { outbox, write, read, sent } = start();
  write(Buffer.alloc(200 * KiB));
  outbox.add(Buffer.alloc(56 * KiB));
  expect(outbox.isFull).toBe(false);
  outbox.add(Buffer.alloc(1));
  expect(outbox.isFull).toBe(true);
  await read();
  expect([outbox.isFull, sent()]).toEqual([false, 1]);
});

test('SOCKET-10: a reader is overdue above 8 MiB of unsent replies; requests are blocked far below that', async () => {
  const { outbox, stream, write, read } = start();
  write(Buffer.alloc(8 * MiB));
  expect([outbox.isOverdue(stream), outbox.isBlocking(stream)]).toEqual([false, true]);
  write(Buffer.alloc(1));
  expect(outbox.isOverdue(stream)).toBe(true);
  await read();
  await read();
  expect([outbox.isOverdue(stream), outbox.isBlocking(stream)]).toEqual([false, false]);
});

test('SOCKET-10: frames that fill the stream do not block requests', () => {
  const { outbox, stream } = start();
  stream.write(Buffer.alloc(9 * MiB));
  expect([outbox.isOverdue(stream), outbox.isBlocking(stream)]).toEqual([false, false]);
});
