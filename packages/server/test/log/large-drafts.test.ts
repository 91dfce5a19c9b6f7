import { type TestSocket, unknownId } from '@parley/testing';
import type { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { readsAnswered } from '@parley/testing/stores/slow-reads.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIVITY_MS, aloneIn, drafts, focusOn, type Scene, scene, seen } from './caps-stage.ts';

/** Together more than the service buffers for a socket plus the system's network buffers. */
const COUNT = 100;
const BYTES = 250 * 1024;

let stage: Scene & AsyncDisposable;
let replies: DaemonStream[];
beforeAll(async () => {
  stage = await scene();
  // Only with one node does the test know what was sent after some ticks of the event loop.
  stage.world.stayOnFirst();
  replies = await drafts(stage, COUNT, BYTES);
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

const idsOf = (socket: TestSocket): string[] => socket.all('messageNew').map(({ id }) => id);
const allIds = (): string[] => replies.map(({ id }) => id).toSorted();

/** Waits long enough for the service to stop sending to a socket that does not read. */
async function held(): Promise<void> {
  const turns = stage.world.isShared ? 1_500 : 300;
  for (let turn = 0; turn < turns; turn += 1) {
    await turnOfLoop();
    await readsAnswered();
  }
}

test('CAPS-9, SOCKET-13: open replies at a new focus are sent one by one, each once, and other sockets are served in between', async () => {
  const { alice, bob, chatId } = stage;
  const socket = await bob.socket('focus');
  const all = Promise.all([focusOn(socket, chatId), focusOn(socket, chatId)]);
  await socket.event('messageNew');
  await alice.api.getMe();
  expect(idsOf(socket).length).toBeLessThan(COUNT);
  await all;
  expect(idsOf(socket).toSorted()).toEqual(allIds());
  expect(new Set(seen(socket))).toEqual(new Set(['snapshot']));
  expect(await aloneIn(socket)).toEqual(socket.frames);
  await socket.close();
});

test('CAPS-9, SOCKET-10: a client that requests more than its socket can buffer gets all of it as it reads', async () => {
  const { bob } = stage;
  const socket = await bob.socket('patch');
  socket.pause();
  const ask = ({ id }: DaemonStream) =>
    bob.api.wsFocus({ socket: socket.hello.socket, snapshots: [id, unknownId, id] });
  const all = Promise.all(replies.map(ask));
  await held();
  socket.resume();
  await all;
  await socket.caughtUp();
  expect(idsOf(socket).toSorted()).toEqual(allIds());
  await socket.close();
});

test.each(['focus', 'patch,focus'])(
  'CAPS-9, LOG-17: with the caps "%s" an open reply that has not arrived yet is shown as activity, and then continues from its snapshot',
  { tags: ['long'] },
  async (caps) => {
    const { bob, chatId, pass } = stage;
    const follower = await bob.follow(caps);
    const socket = follower.socket as TestSocket; // the follower is connected
    socket.pause();
    const told = follower.setFocus({ conversation_id: chatId, channel_id: null, thread_root_id: null });
    await held();
    for (const reply of replies) await reply.append(`, and ${caps}`);
    await pass(ACTIVITY_MS);
    socket.resume();
    await told;
    for (const reply of replies) await reply.append('.');
    // Lets delayed patches arrive too (CAPS-6).
    await pass(1_000);
    await follower.compare();
    expect(follower.recovered.snapshots).toBe(0);
    const alone = await aloneIn(socket);
    const whole = alone.map(({ params }) => params);
    // Each once, and where frames were skipped perhaps a snapshot that all sockets were sent.
    expect([...new Set(whole.map(({ id }) => String(id)))].toSorted()).toEqual(allIds());
    // Several nodes make patches even without receivers; a snapshot then has the text of the last patch, not more.
    if (!stage.world.isShared || !caps.includes('patch'))
      expect(whole.filter(({ content }) => String(content).endsWith(caps)).length).toBeGreaterThan(0);
    // A reply's deltas follow its snapshot; before the snapshot only activity arrives.
    for (const { id } of replies) {
      const frames = socket.frames.filter(({ params }) => params['id'] === id);
      const at = frames.findIndex((frame) => alone.includes(frame));
      const isActivity = frames.map(({ method }) => method === 'events.draftActivity');
      expect(isActivity.lastIndexOf(true)).toBeLessThan(at);
      expect(isActivity.slice(0, at)).not.toContain(false);
    }
    await follower.drop();
  },
);

test('CAPS-7, CAPS-9: a focus that moves before all open replies have arrived gets only activity of the rest', async () => {
  const { bob, chatId, pass } = stage;
  const socket = await bob.socket('focus');
  socket.pause();
  const look = (focus: { chat_id: string } | null) => bob.api.wsFocus({ socket: socket.hello.socket, focus });
  const first = look({ chat_id: chatId });
  await held();
  await look(null);
  for (const reply of replies) await reply.append('!');
  socket.resume();
  await first;
  await pass(ACTIVITY_MS);
  expect(idsOf(socket).length).toBeGreaterThan(0);
  expect(idsOf(socket).length).toBeLessThan(COUNT);
  expect(socket.all('messageDelta')).toEqual([]);
  expect(new Set(socket.all('draftActivity').map(({ id }) => id))).toEqual(new Set(allIds()));
  await socket.close();
});

test('CAPS-9: a socket that closes before all open replies have arrived ends their sending', async () => {
  const { bob, chatId } = stage;
  const socket = await bob.socket('focus');
  socket.pause();
  const looking = bob.api.wsFocus({ socket: socket.hello.socket, focus: { chat_id: chatId }, snapshots: allIds() });
  await held();
  await socket.terminate();
  await looking;
});

test('CAPS-9: a reply that ends or is deleted before its snapshot is due is not sent', async () => {
  const { alice, bob, chatId } = stage;
  const socket = await bob.socket('focus');
  socket.pause();
  const looking = focusOn(socket, chatId);
  await held();
  const [deleted, ended, ...others] = replies.toReversed();
  await ended?.finish();
  await alice.api.deleteMessages({ message_ids: [deleted?.id ?? ''] });
  socket.resume();
  await looking;
  expect(idsOf(socket).toSorted()).toEqual(others.map(({ id }) => id).toSorted());
  await socket.close();
});
