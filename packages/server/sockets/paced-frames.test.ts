import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { loneSession } from '../test/helpers/lone-session.ts';

const KiB = 1024;

/**
 * A socket that accepts all bytes, and whose client answers pings when the test tells it to; before that the client has
 * sent something, unless `isHeard` is false.
 */
function start({ isHeard = true } = {}) {
  const sent: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk.toString('latin1').replace(/^.*?(\w+)\.*$/s, '$1'));
      done();
    },
  });
  const { session, clock, pings } = loneSession(stream);
  if (isHeard) session.connection.heard();
  let last = 0;
  /** The next frame, of 64 KiB, with its number in front. */
  const frame = (): void => {
    last += 1;
    session.sendFrames(Buffer.from(`${last}`.padEnd(64 * KiB, '.')));
  };
  const frames = (count: number): void => {
    for (let at = 0; at < count; at += 1) frame();
  };
  const answer = (): void => session.connection.pong(Buffer.from(pings.at(-1) ?? ''));
  return { clock, session, sent, pings, frames, answer };
}

const upTo = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at + 1));

test('SOCKET-9: frames for a silent reader are held in the process, and sent in order when it answers', async () => {
  const { clock, sent, frames, answer } = start();
  frames(5);
  await clock.advance(101);
  frames(4);
  expect(sent).toEqual(upTo(5));
  answer();
  expect(sent).toEqual(upTo(9));
  answer();
  frames(1);
  expect(sent).toEqual(upTo(10));
});

test('SOCKET-9: a ping follows every 128 KiB of frames', () => {
  const { pings, frames } = start();
  const counts = [1, 1, 1, 1].map((count) => {
    frames(count);
    return pings.length;
  });
  expect(counts).toEqual([0, 1, 1, 2]);
});

test('SOCKET-16: a reader that was never heard is pinged at its first frame, then every 16 KiB', () => {
  const { session, pings } = start({ isHeard: false });
  const counts = [1, 8, 8, 8].map((KiBs) => {
    session.sendFrames(Buffer.alloc(KiBs * KiB));
    return pings.length;
  });
  expect(counts).toEqual([1, 1, 2, 2]);
});

test('SOCKET-9: frames for a reader that was never heard are held above 32 KiB, until its first answer', async () => {
  const { clock, sent, pings, frames, answer } = start({ isHeard: false });
  frames(1);
  expect(pings.length).toBe(1);
  await clock.advance(101);
  frames(1);
  expect(sent).toEqual(upTo(1));
  answer();
  await clock.advance(101);
  frames(4);
  expect(sent).toEqual(upTo(6));
});

test('SOCKET-16: a client is attentive after its first sign of life, but not while it leaves a ping unanswered', async () => {
  const { clock, session, frames, answer } = start({ isHeard: false });
  const states = [session.isAttentive];
  session.connection.heard();
  states.push(session.isAttentive);
  frames(2);
  await clock.advance(101);
  states.push(session.isAttentive);
  answer();
  states.push(session.isAttentive);
  expect(states).toEqual([false, true, false, true]);
});

test('SOCKET-9: a burst is written immediately, however large', () => {
  const { sent, frames } = start();
  frames(12);
  expect(sent).toEqual(upTo(12));
});

test('SOCKET-9: held frames count as unsent: above 1 MiB further frames are skipped, the held ones are not', async () => {
  const { clock, session, sent, frames, answer } = start();
  frames(5);
  await clock.advance(101);
  frames(20);
  expect(session.connection.isSlow).toBe(true);
  answer();
  expect(sent).toEqual(upTo(17));
});

test('SOCKET-9, LOG-5: a heartbeat is held behind the held frames; a reply is sent after them', async () => {
  const { clock, session, sent, frames } = start();
  frames(5);
  await clock.advance(101);
  frames(1);
  session.tick();
  expect(sent).toEqual(upTo(5));
  session.post('reply');
  session.sendReplies(null);
  expect(sent.length).toBe(8);
  expect([sent[5], sent.at(-1)]).toEqual(['6', 'reply']);
});
