import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { loneSession } from '../test/helpers/lone-session.ts';

const KiB = 1024;

/** A socket that accepts all bytes, and whose client answers pings when the test tells it to. */
function start() {
  const sent: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk.toString('latin1').replace(/^.*?(\w+)\.*$/s, '$1'));
      done();
    },
  });
  const { session, clock, pings } = loneSession(stream);
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
  return { clock, session, sent, frames, answer };
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
