import { expect, test } from 'vitest';
import { allClasses } from '../sockets/caps.ts';
import { Hub, type Receiver, type View } from './hub.ts';
import { chatScope } from './kinds.ts';

/** A socket that notes each write it gets, with all others' in one list. */
class Reader implements Receiver {
  view: View | null = null;
  readonly name: string;
  readonly #writes: string[];

  constructor(name: string, writes: string[]) {
    this.name = name;
    this.#writes = writes;
  }

  sendFrames(bytes: Buffer): void {
    this.#writes.push(`${this.name}: ${seqsIn(bytes)}`);
  }

  sendReplies(frames: Buffer | null): void {
    this.#writes.push(`${this.name}: replies${frames ? `, ${seqsIn(frames)}` : ''}`);
  }
}

const seqsIn = (bytes: Buffer): string =>
  [...bytes.toString('latin1').matchAll(/"seq":(\d+),"prev":(\d+)/g)]
    .map(([, seq, prev]) => `${seq}<${prev}`)
    .join(' ');

test('SOCKET-6, LOG-6: a turn is one write for each socket, and whoever waits for an answer comes first', () => {
  const chatKey = 7;
  const hub = new Hub(() => [chatKey]);
  const writes: string[] = [];
  const [ann, bob, cid] = ['ann', 'bob', 'cid'].map((name, at) => {
    const reader = new Reader(name, writes);
    reader.view = hub.connect(at + 1, allClasses, reader);
    return reader;
  });
  const publish = (seq: number) =>
    hub.publish({
      seq,
      scope: chatScope(chatKey),
      kind: 'messageNew',
      params: '{}',
      except: 0,
      timeline: null,
      draft: 0,
    });
  for (const seq of [11, 12, 15]) publish(seq);
  if (bob) hub.reply(bob);
  hub.flush();
  expect(writes).toEqual(['bob: replies, 11<0 12<11 15<12', 'ann: 11<0 12<11 15<12', 'cid: 11<0 12<11 15<12']);
  writes.length = 0;
  publish(20);
  hub.flush();
  expect(writes).toEqual(['ann: 20<15', 'bob: 20<15', 'cid: 20<15']);
  expect([ann, cid].map((reader) => reader?.view?.last)).toEqual([20, 20]);
});
