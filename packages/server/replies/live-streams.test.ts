import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import type { OpenStream } from '../commits/effects.ts';
import type { TransientEvent } from '../log/event-log.ts';
import { eventClass } from '../core/event-kinds.ts';
import type { OpenText } from '../rendering/messages.ts';
import { Checkpoints } from './checkpoints.ts';
import type { CloseOpenStream } from './end-of-reply.ts';
import { LiveStreams } from './live-streams.ts';
import { PendingSnapshots } from './pending-snapshots.ts';
import { ReplyEnds } from './reply-ends.ts';

const info: OpenStream = {
  messageKey: 5,
  messageId: 'a reply',
  chatKey: 7,
  chatId: 'a chat',
  agentKey: 3,
  agent: { username: 'bot', kind: 'agent', display_name: 'Bot' },
  runner: 'server',
  turnKey: 1,
  text: '',
  parts: [],
  revision: 1,
  revisionReserved: 100,
  channelId: null,
  threadRootId: null,
  cancelRequested: false,
  resumed: false,
};

/** An open reply whose reads and end the test lets finish with `release`, and its checkpoints with `checkpoint`. */
function scene(more: Partial<OpenStream> = {}) {
  const sockets = { classes: 0 };
  const clock = new ManualClock();
  const events: { kind: string; params: { content_revision?: number; parts?: object[] } }[] = [];
  const waiting: (() => void)[] = [];
  const storing: (() => void)[] = [];
  const held = () => new Promise<void>((resolve) => void waiting.push(resolve));
  const render = async (_: number, { text: content, revision: content_revision, parts }: OpenText) => {
    await held();
    return JSON.stringify({ id: info.messageId, content, content_revision, parts });
  };
  let seq = 0;
  const publish = ({ kind, params, onSeq }: TransientEvent): void => {
    events.push({ kind, params: JSON.parse(params) });
    onSeq?.((seq += 1));
  };
  const streams = new LiveStreams({
    snapshots: new PendingSnapshots(),
    clock,
    checkpoints: new Checkpoints({
      clock,
      revisionBlock: 100,
      write: () => new Promise((resolve) => void storing.push(resolve)),
    }),
    publish,
    render,
    isShared: false,
    socketsOf: () => [],
    listens: (_, wanted) => (sockets.classes & wanted) !== 0,
  });
  const ends: CloseOpenStream[] = [];
  const replyEnds = new ReplyEnds({
    streams,
    numbered: () => undefined,
    store: async (input) => {
      ends.push(input);
      await held();
      return '{}';
    },
    book: async () => {},
    onFault: (error) => {
      throw error;
    },
  });
  const release = async (): Promise<void> => {
    for (const resolve of waiting.splice(0)) resolve();
    await turnOfLoop();
  };
  const checkpoint = async (): Promise<void> => {
    for (const resolve of storing.splice(0)) resolve();
    await turnOfLoop();
  };
  const stream = streams.open({ ...info, ...more });
  return { clock, events, sockets, streams, replyEnds, ends, release, checkpoint, stream };
}

const notice = (text: string) => ({ id: 'n', type: 'notice' as const, offset: 0, text });

test('STREAM-8: while the end of a reply is being stored nothing more is published, and its revision is a new one', async () => {
  const { clock, events, streams, replyEnds, ends, release, checkpoint, stream } = scene({ revisionReserved: 3 });
  stream.append('a');
  // No revision is reserved for this text and part.
  stream.append('b');
  stream.putPart(notice('c'));
  const unpublished = stream.currentRevision;
  const end = replyEnds.close(stream, { status: 'complete' });
  await turnOfLoop();
  // The checkpoint that reserves more comes through, and readers load the reply.
  await checkpoint();
  await clock.advance(40);
  expect(streams.textOf(stream)).toMatchObject({ text: 'a' });
  expect(events.filter(({ kind }) => kind !== 'draftActivity').map(({ params }) => params.content_revision)).toEqual([
    2,
  ]);
  expect(ends).toMatchObject([{ text: 'ab', parts: [{ text: 'c' }] }]);
  expect(ends[0]?.revision).toBeGreaterThan(unpublished);
  await release();
  await end;
});

test('STREAM-14: the first change after a restart is a snapshot, also if the text was published again before it', async () => {
  const { clock, events, streams, release, stream } = scene({ text: 'one', resumed: true });
  streams.republishAll();
  await release();
  await clock.advance(40);
  stream.append(' two');
  await clock.advance(40);
  await release();
  stream.append(' three');
  await clock.advance(40);
  expect(events.map(({ kind, params }) => [kind, params])).toMatchObject([
    ['streamSnapshot', { content: 'one' }],
    ['streamSnapshot', { content: 'one two' }],
    ['messageDelta', { delta: ' three' }],
  ]);
});

test('PART-7, PART-10: parts that are taken back while a snapshot with them is rendered are not left on sockets with patches', async () => {
  const { clock, events, release, stream, sockets } = scene();
  const aWhile = async (): Promise<void> => {
    for (let step = 0; step < 5; step += 1) {
      await clock.advance(40);
      await release();
    }
  };
  stream.append('one');
  stream.putPart(notice('lost'));
  await aWhile();
  // A first socket with patches comes: it gets the whole reply.
  sockets.classes = eventClass.patch;
  stream.append(' two');
  await clock.advance(40);
  expect(stream.draft.isRendering).toBe(true);
  stream.clearParts();
  await aWhile();
  const whole = events.filter(({ kind }) => kind === 'patchSnapshot').at(-1)?.params;
  expect(whole?.parts ?? []).toEqual([]);
  expect(whole?.content_revision).toBe(stream.draft.patched?.revision);
});
