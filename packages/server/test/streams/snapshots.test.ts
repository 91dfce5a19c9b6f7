import { createWorld } from '@parley/testing';
import type { ReceivedFrame } from '@parley/testing/model/frame-chain.ts';
import { HeldReads } from '@parley/testing/stores/slow-reads.ts';
import { expect, test } from 'vitest';
import { scene } from '../helpers/stream-stage.ts';

/** The statement with which a snapshot of an open reply reads its message. */
const ROW = 'FROM messages m WHERE m.key = $1';

/** The statement with which a replay reads the messages of open replies. */
const AMONG = 'FROM messages m WHERE m.key IN';

const reactors = ({ params }: ReceivedFrame) =>
  (params['reactions'] as { reactors: { username: string }[] }[]).flatMap((group) =>
    group.reactors.map(({ username }) => username),
  );

async function stage() {
  const held = new HeldReads();
  const world = await createWorld({ wrapRead: held.wrap });
  const { alice, bob, bot, begin, reply } = await scene(world);
  // Published before anybody else connects: no tick of it reads or sends the reply later.
  const watcher = await alice.socket('patch');
  await reply.append('first');
  await watcher.waitFor(({ params }) => JSON.stringify(params).includes('first'));
  const react = async () => void (await alice.api.setMessageReaction({ message_id: reply.id, emoji: '🎉' }));
  return { held, world, alice, bob, bot, begin, reply, react };
}

test('STREAM-20, LOG-17: a snapshot rendered before a reaction is followed by a snapshot that contains the reaction', async () => {
  const { held, world, alice, bob, reply, react } = await stage();
  await using _ = world;
  const socket = await bob.socket();
  const reading = held.hold(ROW);
  await reply.replace('second');
  await reading.asked;
  await react();
  await socket.event('reactionAdded');
  reading.release();
  const isWhole = ({ params }: ReceivedFrame) => params['content'] === 'second';
  expect(reactors(await socket.waitFor(isWhole))).toEqual([]);
  await socket.waitFor((frame) => isWhole(frame) && reactors(frame).includes(alice.username));
  await reply.finish();
});

test('STREAM-20, CAPS-5: a snapshot for sockets with patches is also followed by one that contains the reaction', async () => {
  const { held, world, alice, bob, reply, react } = await stage();
  await using _ = world;
  const socket = await bob.socket('patch');
  await reply.append(' thought');
  await socket.waitFor(({ params }) => JSON.stringify(params).includes('first thought'));
  // The whole text is shorter than a patch of its lines.
  const lines = Array.from({ length: 500 }, () => 'a').join('\n');
  const plain = held.hold(ROW);
  await reply.replace(lines);
  await plain.asked;
  const patched = held.hold(ROW);
  plain.release();
  await patched.asked;
  await react();
  await socket.event('reactionAdded');
  patched.release();
  const isWhole = ({ params }: ReceivedFrame) => params['content'] === lines;
  await socket.waitFor((frame) => isWhole(frame) && reactors(frame).includes(alice.username));
  await reply.finish();
});

test('STREAM-20, CAPS-9: a requested snapshot is rendered again if a reaction arrived in the meantime', async () => {
  const { held, world, alice, bob, reply, react } = await stage();
  await using _ = world;
  const socket = await bob.socket('patch');
  const reading = held.hold(ROW);
  const asked = socket.rpc('wsFocus', { socket: socket.hello.socket, snapshots: [reply.id] });
  await reading.asked;
  await react();
  await socket.event('reactionAdded');
  reading.release();
  await asked;
  const shown = socket.frames.filter(({ method }) => method === 'events.messageNew');
  expect(shown.map(reactors)).toEqual([[alice.username]]);
  await reply.finish();
});

test('LOG-12: a replay that shows a reply as open while it ends also contains its end', async () => {
  const { held, world, bob, bot, begin } = await stage();
  await using _ = world;
  const socket = await bob.socket();
  const stillOpen = await begin();
  await socket.waitFor(({ params }) => params['id'] === stillOpen.id);
  for (const limit of [undefined, 100]) {
    const [finished, cancelled] = [await begin(), await begin()];
    await cancelled.append('taken back');
    const { head: since } = await bob.api.getUpdates({ since: 0 });
    await finished.append('shown');
    await cancelled.replace('');
    await socket.waitFor(({ params }) => params['id'] === cancelled.id && params['content_revision'] === 3);
    const reading = held.hold(AMONG);
    const asking = bob.api.getUpdates({ since, limit });
    await reading.asked;
    await finished.finish();
    await bot.api.finishMessageStream({ message_id: cancelled.id, status: 'cancelled' });
    await socket.waitFor(({ method }) => method === 'events.messageDeleted');
    reading.release();
    const { frames, head } = await asking;
    const about = (id: string) => frames.filter(({ params }) => JSON.stringify(params).includes(id));
    expect(about(finished.id).at(-1)?.method).toBe('events.messageComplete');
    expect(about(cancelled.id).at(-1)?.method).toBe('events.messageDeleted');
    expect(frames.at(-1)?.seq).toBe(head);
    for (const [at, { prev }] of frames.entries()) expect(prev).toBe(frames[at - 1]?.seq ?? since);
  }
});

test('LOG-12, CAPS-8: a reply out of focus that ends during the replay is activity before its end', async () => {
  const { held, world, bob, begin, reply } = await stage();
  await using _ = world;
  const socket = await bob.socket('focus');
  const { head: since } = await bob.api.getUpdates({ since: 0 });
  await reply.append(', and more');
  const finished = await begin();
  await finished.append('shown');
  for (const { id } of [reply, finished]) await socket.waitFor(({ params, seq }) => params['id'] === id && seq > since);
  const reading = held.hold(AMONG);
  const asking = bob.api.getUpdates({ since, socket: socket.hello.socket });
  await reading.asked;
  await finished.finish();
  await socket.waitFor(({ method }) => method === 'events.messageComplete');
  reading.release();
  const { frames } = await asking;
  const about = frames.filter(({ params }) => JSON.stringify(params).includes(finished.id));
  expect(about.map(({ method }) => method)).toEqual(['events.draftActivity', 'events.messageComplete']);
});
