import { createWorld, ManualClock, type TestSocket } from '@parley/testing';
import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { compareAll } from '@parley/testing/model/follower.ts';
import { SteeredStore } from '@parley/testing/stores/steered-store.ts';
import { expect, test } from 'vitest';
import { aloneIn, COALESCE_MS, scene, seen } from './caps-stage.ts';
import { takenUp } from '../helpers/stream-stage.ts';

test('CAPS-5: patches contain the changed lines, and the client needs no request', async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const follower = await bob.follow('patch');
  const reply = await begin();
  const texts = ['one', ' and\r\n', '\n\n', '🙂', '🙂\n', 'x'.repeat(5_000), '\n'];
  for (const text of texts) {
    await reply.append(text);
    await pass(COALESCE_MS);
    expect(follower.state.find(reply.id)?.content).toBe(reply.text);
  }
  await reply.replace(reply.text.replace('one', 'two'));
  await pass(COALESCE_MS);
  await follower.compare();
  const patches = follower.socket?.all('messageDraftPatch') ?? [];
  expect(patches).toHaveLength(texts.length + 1);
  expect(patches.at(-1)?.ops).toEqual([{ at: 0, del: 1, ins: ['two and\r'] }]);
  for (const [at, { base_rev }] of patches.entries()) if (at > 0) expect(base_rev).toBe(patches[at - 1]?.rev);
  // If every line changes, the whole text is smaller and is sent instead.
  await reply.replace('a\n'.repeat(2_000));
  await pass(COALESCE_MS);
  await reply.replace('b\n'.repeat(2_000));
  await pass(COALESCE_MS);
  expect(seen(follower.socket as TestSocket).at(-1)).toBe('snapshot'); // the follower is connected
  await reply.append('c');
  await pass(COALESCE_MS);
  await follower.compare();
  expect(follower.recovered.snapshots).toBe(0);
});

test('CAPS-5: a client that lacks a patch’s base requests the whole text once, and continues from it', async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const follower = await bob.follow('patch');
  const reply = await begin();
  await reply.append('first line\n');
  await pass(COALESCE_MS);
  const known = follower.state.find(reply.id);
  if (!known) throw new Error('the reply is known');
  follower.state.upsert({ ...known, content: 'something else', content_revision: 1 });
  await reply.append('second');
  await pass(COALESCE_MS);
  await reply.append(' line');
  await pass(COALESCE_MS);
  await follower.compare();
  expect(follower.recovered.snapshots).toBe(1);
  expect(await aloneIn(follower.socket as TestSocket)).toMatchObject([{ method: 'events.messageNew' }]); // connected
});

test.each(['restart', 'crash'] as const)(
  'CAPS-5: after a %s the first frame of a reply has the whole text, then patches follow',
  async (way) => {
    await using stage = await scene();
    const { world, bob, begin, pass } = stage;
    const follower = await bob.follow('patch');
    const reply = await begin();
    await reply.append('before\n');
    await pass(1_000);
    await world[way]();
    await takenUp(world);
    await follower.drop();
    await follower.connect();
    await reply.append('after');
    await pass(COALESCE_MS);
    await reply.append(' it');
    await pass(COALESCE_MS);
    await follower.compare();
    expect(follower.state.find(reply.id)?.content).toBe('before\nafter it');
    // With several nodes, a node that may have missed a part of the text requests the whole text first.
    if (!world.isShared) expect(seen(follower.socket as TestSocket)).toEqual(['snapshot', 'messageDraftPatch']); // it is connected
  },
);

test('CAPS-5, STREAM-9: a replacement whose reply’s end could not be stored is sent with the next text', async () => {
  const store = new SteeredStore();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const followers = [await bob.follow('patch'), await bob.follow('')];
  const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
  for (let at = 0; at < 10; at += 1) {
    store.failCommits(true);
    const line = `${'abc'[at % 3]}\n`;
    // The whole text is smaller than a patch, so it is sent; it is being rendered while the reply's end is stored.
    const [, ended] = await Promise.allSettled([reply.replace(line.repeat(500)), reply.finish()]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    store.failCommits(false);
    // The replacement was not stored either, so the daemon sends it again.
    await reply.replace(line.repeat(500));
    await reply.append(`${at}`);
    await world.settle();
    await clock.advance(1_000);
    await world.settle();
    await compareAll(followers);
    expect(followers[0]?.state.find(reply.id)?.content).toBe(reply.text);
  }
});

test('CAPS-6: patches of a very long line cost a socket at most 256 KiB a second, and the end still arrives', async () => {
  await using stage = await scene();
  const { bob, begin, pass, clock } = stage;
  const follower = await bob.follow('patch');
  const bytesSoFar = () => Buffer.byteLength(JSON.stringify(follower.socket?.all('messageDraftPatch')));
  const reply = await begin();
  await reply.append('é'.repeat(60 * 1024));
  await pass(COALESCE_MS);
  const [begun, from] = [clock.now(), bytesSoFar()];
  for (let at = 0; at < 60; at += 1) {
    await reply.append('more ');
    await pass(100);
  }
  const seconds = (clock.now() - begun) / 1_000;
  const bytes = bytesSoFar() - from;
  expect(bytes).toBeGreaterThan(100 * 1024 * seconds);
  expect(bytes).toBeLessThan(256 * 1024 * (seconds + 1));
  await pass(1_000);
  await follower.compare();
  expect(follower.state.find(reply.id)?.content).toBe(reply.text);
});

test('CAPS-6: small patches are not delayed, and their size does not depend on the text before their line', async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const socket = await bob.socket('patch');
  const reply = await begin();
  await reply.append('a line of text\n'.repeat(10_000));
  await pass(1_000);
  const before = socket.all('messageDraftPatch').length;
  for (let at = 0; at < 20; at += 1) {
    await reply.append(at % 5 === 4 ? 'token\n' : 'token ');
    await pass(COALESCE_MS);
  }
  const patches = socket.all('messageDraftPatch').slice(before);
  expect(patches).toHaveLength(20);
  for (const patch of patches) expect(JSON.stringify(patch).length).toBeLessThan(200);
});
