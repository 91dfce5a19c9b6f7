import { expect, test } from 'vitest';
import { FrameChain, type ReceivedFrame } from './frame-chain.ts';

const id = '01a1fa17-03f1-7579-8400-e978903a6298';
const frame = (seq: number, prev: number): ReceivedFrame => ({
  method: 'events.messageDeleted',
  params: { conversation_id: id, ids: [id] },
  seq,
  prev,
});

/** A Message of a reply that streams. */
const openReply = {
  id,
  position: 1,
  conversation_id: id,
  channel_id: null,
  thread_root_id: null,
  sender: { username: 'ann:bot', kind: 'agent', display_name: 'Bot', created_at: '2026-01-01T00:00:00.000Z' },
  content: '',
  attachments: [],
  reply_to_id: null,
  mentions: [],
  dispatch: [],
  reactions: [],
  created_at: '2026-01-01T00:00:00.000Z',
  content_revision: 1,
  status: 'streaming',
};

function problemsOf(head: number, ...frames: ReceivedFrame[]): string[] {
  const chain = new FrameChain(head);
  for (const one of frames) chain.take(one);
  return chain.problems;
}

test('LOG-5: a chain in which each frame names the one before is complete', () => {
  expect(problemsOf(3, frame(5, 3), frame(9, 5))).toEqual([]);
});

test.each([
  ['a gap', [frame(9, 5)]],
  ['a gap', [frame(5, 3), frame(9, 6)]],
  ['out of order', [frame(5, 3), frame(4, 3)]],
  ['out of order', [frame(5, 3), frame(5, 3)]],
  ['out of order', [frame(5, 2)]],
  ['out of order', [frame(4, 5)]],
])('LOG-5: %s is detected', (what, frames) => {
  expect(problemsOf(3, ...frames)).toEqual([expect.stringContaining(what)]);
});

test("LOG-11: a frame outside the log has the socket's current number and does not move it", () => {
  expect(problemsOf(3, frame(3, 3), frame(5, 3), frame(5, 5), frame(6, 5))).toEqual([]);
  expect(problemsOf(3, frame(4, 4))).toEqual([expect.stringContaining("not the socket's current number")]);
});

test('CAPS-9: a snapshot for one socket follows its newest frame, and the next frame does not name it', () => {
  const snapshot = (seq: number, prev: number): ReceivedFrame => ({
    ...frame(seq, prev),
    method: 'events.messageNew',
    params: openReply,
  });
  expect(problemsOf(3, frame(5, 3), snapshot(6, 5), snapshot(9, 6), frame(10, 5), frame(12, 10))).toEqual([]);
  // A snapshot that all sockets of the account were sent.
  expect(problemsOf(3, snapshot(6, 3), frame(8, 6))).toEqual([]);
  expect(problemsOf(3, frame(5, 3), snapshot(6, 5), frame(10, 6), frame(12, 5))).toEqual([
    expect.stringContaining('out of order'),
  ]);
  expect(problemsOf(3, frame(5, 3), frame(6, 5), frame(9, 5))).toEqual([expect.stringContaining('out of order')]);
  expect(problemsOf(3, frame(5, 3), snapshot(7, 6))).toEqual([expect.stringContaining('a gap')]);
});

test('SOCKET-9: a slow reader may see gaps, but numbers never go back', () => {
  const chain = new FrameChain(3);
  chain.mayHaveGaps = true;
  chain.take(frame(9, 7));
  chain.take(frame(8, 7));
  expect(chain.problems).toEqual([expect.stringContaining('out of order')]);
});

test('LOG-16: a tick has the number of the newest frame', () => {
  const chain = new FrameChain(3);
  chain.tick(3);
  chain.tick(4);
  chain.take(frame(5, 3));
  chain.tick(4);
  expect(chain.problems).toHaveLength(2);
});

test('an unknown event and one that does not match its declaration are detected', () => {
  const unknown = { ...frame(5, 3), method: 'events.messageSeen' };
  const wrong = { ...frame(6, 5), params: { conversation_id: id } };
  expect(problemsOf(3, unknown, wrong)).toEqual([
    expect.stringContaining('not an event of the interface'),
    expect.stringContaining('does not match its declaration'),
  ]);
});
