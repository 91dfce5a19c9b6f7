import { createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { HeldStore } from '../helpers/held-store.ts';
import { frame, opcode, RawSocket } from '../helpers/raw-socket.ts';

const token = 'dev:alice';
const { text } = opcode;

/** Creates alice's chat with herself, with 40 messages of this length. */
async function largeHistory(world: World, length: number): Promise<string> {
  const { alice } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, alice);
  for (let at = 0; at < 40; at += 1) await alice.api.sendMessage({ chat_id, text: 'x'.repeat(length) });
  return chat_id;
}

/** Alice's socket, in a world whose store can hold batches back. */
async function heldSocket() {
  const store = new HeldStore();
  const world = await createWorld({ startStore: store.start });
  const { alice } = await world.people('alice');
  const { id: chat_id } = await world.group(alice);
  const socket = await RawSocket.open(world.url, { token });
  void store.hold();
  return { world, alice, chat_id, socket, store };
}

/** Resolves when this many writes are in flight, after enough ticks for any further write to begin. */
async function begun(world: World, count: number): Promise<void> {
  while (world.service.units.inFlight < count) await turnOfLoop();
  for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
}

/** The number of calls of an operation. */
async function callsOf(world: World, operation: string): Promise<number> {
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  const counts = metrics.matchAll(new RegExp(`^parley_requests_total\\{operation="${operation}",.*\\} (\\d+)$`, 'gm'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test(
  'SOCKET-5, SOCKET-13: very many page requests are all answered, without delaying others',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const chat_id = await largeHistory(world, 4_000);
    const [alice, bob] = [
      await RawSocket.open(world.url, { token }),
      await RawSocket.open(world.url, { token: 'dev:bob' }),
    ];
    const params = { chat_id, limit: 200 };
    const many = Array.from({ length: 300 }, (_, id) =>
      frame(text, JSON.stringify({ id, method: 'getChatHistory', params })),
    );
    alice.write(Buffer.concat(many));
    await alice.until(() => alice.texts.length > 1 || undefined);
    bob.request('quick', 'getMe');
    await bob.reply('quick');
    expect(alice.texts.length).toBeLessThan(150);
    await alice.until(() => alice.texts.length === 301 || undefined);
    const ids = alice.texts.slice(1).map((reply) => Number(/^\{"id":(\d+),"ok":true/.exec(reply)?.[1]));
    expect(ids.toSorted((a, b) => a - b)).toEqual(many.map((_, id) => id));
    alice.end();
    bob.end();
  },
);

test(
  'SOCKET-10: no further request of a socket begins while it does not read its replies, and others are served',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const chat_id = await largeHistory(world, 16_000);
    const [alice, bob] = [
      await RawSocket.open(world.url, { token }),
      await RawSocket.open(world.url, { token: 'dev:bob' }),
    ];
    alice.pause();
    const params = { chat_id, limit: 200 };
    for (let id = 0; id < 100; id += 1) alice.request(id, 'getChatHistory', params);
    for (let id = 0; id < 100; id += 1) {
      bob.request(id, 'getMe');
      await bob.reply(id);
    }
    // Calls began only until the system's network buffers were full of their answers.
    const calls = await callsOf(world, 'getChatHistory');
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThan(50);
    alice.resume();
    await alice.until(() => alice.texts.length === 101 || undefined);
    alice.end();
    bob.end();
  },
);

test(
  'SOCKET-10: a socket that does not read its replies is closed at 8 MiB of them, and others are served',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    const store = new HeldStore();
    await using world = await createWorld({ clock, startStore: store.start });
    const alice = await world.person('alice');
    const chat = await world.group(alice);
    const bot = await botIn(world, alice, chat);
    const start = { chat_id: chat.id, client_msg_id: 'a long one' };
    const { id: message_id } = await bot.api.startMessageStream(start);
    await bot.api.appendMessageStream({ message_id, text: 'x'.repeat(250 * 1024) });
    const deaf = await RawSocket.open(world.url, { token: bot.token });
    const reader = await alice.socket();
    deaf.pause();
    // Requests in flight are all answered, however long the answers.
    void store.hold();
    for (let id = 0; id < 200; id += 1) deaf.request(id, 'startMessageStream', start);
    await begun(world, 200);
    store.release();
    await world.settle();
    // The next frame closes the socket: here a tick.
    await clock.advance(25_000);
    while (world.sum(({ sockets }) => sockets.count) === 2) await turnOfLoop();
    deaf.resume();
    // A close frame would queue behind the unread replies, so the connection ends without one.
    expect(await deaf.closed()).toBeUndefined();
    expect(deaf.texts.length).toBeLessThan(100);
    await reader.caughtUp();
    expect(reader.ticks).toHaveLength(1);
  },
);

test('SOCKET-5: at most 256 requests are in flight; the others wait, and none is skipped', async () => {
  const { world, alice, chat_id, socket, store } = await heldSocket();
  await using _ = world;
  for (let id = 0; id < 400; id += 1) socket.request(id, 'sendMessage', { chat_id, text: `message ${id}` });
  await begun(world, 256);
  expect(world.service.units.inFlight).toBe(256);
  store.release();
  await socket.until(() => socket.texts.filter((reply) => reply.startsWith('{"id"')).length === 400 || undefined);
  const { items } = await alice.api.getChatHistory({ chat_id, limit: 200 });
  expect(items.map(({ content }) => content)).toEqual(Array.from({ length: 200 }, (_, at) => `message ${200 + at}`));
  socket.end();
});

test(
  'SOCKET-3, SOCKET-5: replies to requests without an id keep their order behind a slow one, and none is skipped',
  { tags: ['long'] },
  async () => {
    const { world, chat_id, socket, store } = await heldSocket();
    await using _ = world;
    socket.request(undefined, 'sendMessage', { chat_id, text: 'slow' });
    for (let at = 0; at < 1_000; at += 1) socket.write(frame(text, '{}'));
    socket.request(undefined, 'getMe');
    await begun(world, 1);
    expect(socket.texts).toHaveLength(1);
    store.release();
    await socket.until(() => socket.texts.filter((reply) => reply.startsWith('{"ok"')).length === 1_002 || undefined);
    const replies = socket.texts.filter((reply) => reply.startsWith('{"ok"'));
    expect(JSON.parse(replies[0] ?? '')).toMatchObject({ ok: true, result: { content: 'slow' } });
    expect(JSON.parse(replies.at(-1) ?? '')).toMatchObject({ ok: true, result: { username: 'alice' } });
    socket.end();
  },
);

test('SOCKET-4: writes take effect in the order of arrival, also after one that needs preparation', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { id: chat_id } = await world.group(alice);
  const socket = await RawSocket.open(world.url, { token });
  const bots = Array.from({ length: 20 }, (_, at) => `bot${at}`);
  socket.write(
    Buffer.concat(
      bots.flatMap((slug) => [
        frame(text, JSON.stringify({ id: `make ${slug}`, method: 'createBot', params: { slug, display_name: slug } })),
        frame(
          text,
          JSON.stringify({ id: slug, method: 'addGroupAgent', params: { chat_id, agent_username: `alice:${slug}` } }),
        ),
      ]),
    ),
  );
  for (const slug of bots) expect(await socket.reply(slug)).toEqual({ id: slug, ok: true });
  socket.end();
});
