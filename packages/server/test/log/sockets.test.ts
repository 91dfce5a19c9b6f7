import { createWorld, ManualClock } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { frame, opcode, RawSocket } from '../helpers/raw-socket.ts';

const token = 'dev:alice';
const request = '{"id":1,"method":"getMe"}';
const { text, close } = opcode;

async function timedWorld() {
  const clock = new ManualClock();
  const world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  return { clock, world, alice, bob };
}

test('SOCKET-7, SOCKET-8: every 25 s a tick and a ping are sent; a socket silent for 75 s is closed', async () => {
  const { clock, world, alice, bob } = await timedWorld();
  await using _ = world;
  const silent = await RawSocket.open(world.url, { token });
  const lively = await bob.socket();
  const { id: chat_id } = await world.direct(alice, bob);
  for (let times = 0; times < 4; times += 1) {
    await alice.api.sendMessage({ chat_id, text: 'hello' });
    await clock.advance(25_000);
    await lively.caughtUp();
  }
  expect(lively.ticks).toHaveLength(4);
  expect(lively.ticks.at(-1)).toBe(lively.chain.lastSeq);
  expect(await silent.closed()).toBeUndefined();
  expect(silent.texts.filter((message) => message.includes('events.tick'))).toHaveLength(3);
  expect(lively.isOpen).toBe(true);
});

test(
  'SOCKET-9: a client that does not read misses frames and is closed after 30 s; others are not affected',
  { tags: ['long'] },
  async () => {
    const { clock, world, alice, bob } = await timedWorld();
    await using _ = world;
    const { id: chat_id } = await world.group(alice, bob);
    const slow = await RawSocket.open(world.url, { token });
    const reader = await bob.socket();
    slow.pause();
    for (let times = 0; times < 600; times += 1)
      await bob.api.sendMessage({ chat_id, text: `${times} ${'x'.repeat(30_000)}` });
    await reader.event('messageNew', ({ content }) => content.startsWith('599 '));
    expect(reader.all('messageNew')).toHaveLength(600);
    await clock.advance(2_000);
    expect(slow.isEnded).toBe(false);
    await clock.advance(31_000);
    slow.resume();
    await slow.until(() => slow.isEnded || undefined);
    const received = slow.texts.filter((message) => message.includes('events.messageNew')).length;
    expect(received).toBeLessThan(600);
    expect(reader.isOpen).toBe(true);
  },
);

embeddedTest('a count within one process')(
  'SOCKET-11: the 51st socket of an account closes the first, even if that one does not answer the close',
  async () => {
    const { clock, world } = await timedWorld();
    await using _ = world;
    const sockets: RawSocket[] = [];
    for (let count = 0; count < 53; count += 1) sockets.push(await RawSocket.open(world.url, { token }));
    const oldest = sockets.slice(0, 3);
    for (const socket of oldest) expect(await socket.closed()).toBe(1013);
    for (const socket of oldest) expect(socket.isEnded).toBe(false);
    await clock.advance(7_000);
    for (const socket of oldest) await socket.until(() => socket.isEnded || undefined);
    expect(world.sum(({ sockets }) => sockets.count)).toBe(50);
    for (const socket of sockets) socket.end();
  },
);

test('AUTH-15: a socket that ignores the end of its session is no longer read, and closed', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const member = await world.member();
  const { id: chat_id } = await world.group(member);
  const lost = await world.signIn(member);
  const socket = await RawSocket.open(world.url, { token: lost.token });
  socket.request(1, 'getMe');
  await socket.reply(1);
  await member.api.terminateOtherSessions();
  expect(await socket.closed()).toBe(4401);
  for (let id = 0; id < 100; id += 1) socket.request(id, 'sendMessage', { chat_id, text: 'from nobody' });
  await member.api.sendMessage({ chat_id, text: 'from the member' });
  await clock.advance(7_000);
  while (!socket.isEnded) await turnOfLoop();
  const { items } = await member.api.getChatHistory({ chat_id });
  expect(items.map(({ content }) => content)).toEqual(['from the member']);
  expect(socket.texts.filter((message) => message.includes('messageNew'))).toEqual([]);
});

test('sockets of a lost network are closed', async () => {
  const { world, bob } = await timedWorld();
  await using _ = world;
  const torn = [
    frame(text, request).subarray(0, 5),
    frame(text, '{', { fin: false }),
    Buffer.from([0x81]),
    frame(close),
  ];
  for (const bytes of torn) {
    const socket = await RawSocket.open(world.url, { token });
    socket.write(bytes);
    socket.end();
  }
  while (world.sum(({ sockets }) => sockets.count) > 0) await turnOfLoop();
  const reader = await bob.socket();
  expect(await reader.rpc('getMe')).toMatchObject({ username: 'bob' });
});
