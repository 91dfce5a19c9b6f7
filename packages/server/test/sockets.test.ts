import { createWorld, ManualClock, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HeldStore } from './held-store.ts';
import { frame, opcode, RawSocket } from './raw-socket.ts';

const MIB = 1024 * 1024;
const token = 'dev:alice';
const request = '{"id":1,"method":"getMe"}';
const { text, continuation, binary, ping, close } = opcode;

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** A request that is a message of exactly so many bytes. */
const padded = (bytes: number): string => {
  const start = '{"id":1,"method":"getMe","params":{"more":"';
  return `${start}${'x'.repeat(bytes - start.length - 3)}"}}`;
};
/** One message in pieces of so many bytes. */
const inPieces = (message: string | Buffer, bytes: number): Buffer[] => {
  const data = Buffer.from(message as string);
  const count = Math.ceil(data.length / bytes);
  return Array.from({ length: count }, (_, at) =>
    frame(at === 0 ? text : continuation, data.subarray(at * bytes, (at + 1) * bytes), { fin: at === count - 1 }),
  );
};

describe('frames', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.people('alice', 'bob');
  });
  afterAll(() => world.close());

  test.each<[string, (string | Buffer)[]]>([
    ['whole', [frame(text, request)]],
    ['torn into bytes', [...frame(text, request)].map((byte) => Buffer.from([byte]))],
    ['in pieces of one byte', inPieces(request, 1)],
    [
      'in pieces with a ping between them',
      [frame(text, '{"id":1,', { fin: false }), frame(ping), frame(continuation, '"method":"getMe"}')],
    ],
    ['with a letter torn apart', inPieces('{"id":1,"method":"getMe","params":{"x":"äöü€😀"}}', 3)],
    ['of 1 MiB', [frame(text, padded(MIB))]],
    ['of 1 MiB in pieces', inPieces(padded(MIB), 4_096)],
    [
      'behind 3,000 pongs that nobody asked for',
      [...Array.from({ length: 3_000 }, () => frame(opcode.pong, '9'.repeat(40))), frame(text, request)],
    ],
  ])('SOCKET-12: a request %s is answered', async (_what, writes) => {
    const socket = await RawSocket.open(world.url, { token });
    for (const bytes of writes) socket.write(bytes);
    expect(await socket.reply(1)).toMatchObject({ ok: true, result: { username: 'alice' } });
    socket.end();
  });

  test.each<[string, (string | Buffer)[], number]>([
    ['unmasked', [frame(text, request, { masked: false })], 1002],
    ['with a reserved bit', [frame(text, request, { reserved: 4 })], 1002],
    ['of an unknown kind', [frame(3, request)], 1002],
    ['that continues nothing', [frame(continuation, request)], 1002],
    ['that begins within another', [frame(text, '{', { fin: false }), frame(text, request)], 1002],
    ['that is a ping in pieces', [frame(ping, 'x', { fin: false })], 1002],
    ['that is a ping of 126 bytes', [frame(ping, 'x'.repeat(126))], 1002],
    ['that closes with half a code', [frame(close, Buffer.from([3]))], 1002],
    ['that closes with a code that is none', [frame(close, Buffer.from([3, 0xe7]))], 1002],
    ['that is HTTP', ['GET / HTTP/1.1\r\n\r\n'], 1002],
    ['that is no UTF-8', [frame(text, Buffer.from([0x22, 0xff, 0x22]))], 1007],
    ['that is half a surrogate pair', [frame(text, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))], 1007],
    ['that is empty', [frame(text)], 1007],
    ['that is no JSON', [frame(text, `${request}x`)], 1007],
    ['that begins with a byte order mark', [frame(text, `\ufeff${request}`)], 1007],
    ['that is binary', [frame(binary, request)], 1003],
    ['that is binary and empty', [frame(binary)], 1003],
    ['over 1 MiB', [frame(text, padded(MIB + 1))], 1009],
    ['that says to be larger than anything', [Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0])], 1009],
    ['over 1 MiB in pieces', inPieces(padded(2 * MIB), 65_536), 1009],
    [
      'in 2,000 empty pieces',
      [
        frame(text, '', { fin: false }),
        ...Array.from({ length: 2_000 }, () => frame(continuation, '', { fin: false })),
      ],
      1008,
    ],
  ])('SOCKET-12: a frame %s closes the socket', async (_what, writes, code) => {
    const socket = await RawSocket.open(world.url, { token });
    socket.write(Buffer.concat(writes.map((bytes) => Buffer.from(bytes as string))));
    expect(await socket.closed()).toBe(code);
    socket.end();
  });

  test('SOCKET-3, SOCKET-12: what is no request is told so, and the socket goes on', async () => {
    const socket = await RawSocket.open(world.url, { token });
    const wrong = ['7', '[]', 'null', 'true', '"getMe"', '{}', '{"method":1}', '{"method":null}']
      .concat(['[]', '"x"', '7', 'null'].map((params) => `{"method":"getMe","params":${params}}`))
      .concat(['null', '{}', '[]', 'true', '1e999'].map((id) => `{"id":${id},"method":"getMe"}`))
      .concat([`{"method":"getMe","params":{"x":[${'[],'.repeat(60_000)}[]]}}`]);
    for (const message of wrong) socket.write(frame(text, message));
    socket.write(frame(text, request));
    await socket.reply(1);
    const replies = socket.texts.slice(1, -1).map((reply) => JSON.parse(reply));
    expect(replies).toHaveLength(wrong.length);
    for (const reply of replies) expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_argument' } });
    for (const reply of replies) expect(reply).not.toHaveProperty('id');
    socket.end();
  });

  test.each(['""', '"\\ud800"', '0', '1.5', '-1', '"1"', `"${'x'.repeat(10_000)}"`])(
    'SOCKET-3: the id %s is echoed',
    async (id) => {
      const socket = await RawSocket.open(world.url, { token });
      socket.write(frame(text, `{"id":${id},"method":"getMe"}`));
      const reply = await socket.until(() => socket.texts[1]);
      expect(JSON.parse(reply)).toMatchObject({ id: JSON.parse(id), ok: true });
      socket.end();
    },
  );

  test.each([
    'nope',
    '',
    '__proto__',
    'constructor',
    'toString',
    'GETME',
    'events.tick',
    'closeStream',
    'trimLog',
    'ensureDevAccount',
  ])('API-2, TRANS-9: "%s" is no method', async (method) => {
    const socket = await RawSocket.open(world.url, { token });
    socket.request(1, method, { username: 'alice' });
    expect(await socket.reply(1)).toEqual({
      id: 1,
      ok: false,
      error: { code: 'not_found', message: 'not found: operation' },
    });
    socket.end();
  });

  test('SOCKET-14: a flood of pings costs the flooder a pong now and then, and nobody else anything', async () => {
    const socket = await RawSocket.open(world.url, { token });
    socket.pause();
    const pings = Array.from({ length: 5_000 }, (_, at) => frame(ping, String(at)));
    for (let times = 0; times < 20; times += 1) socket.write(Buffer.concat(pings));
    const bob = await RawSocket.open(world.url, { token: 'dev:bob' });
    bob.request(1, 'getMe');
    await bob.reply(1);
    socket.resume();
    socket.write(frame(ping, 'the last'));
    await socket.until(() => socket.pongs.includes('the last') || undefined);
    expect(socket.pongs.length).toBeLessThan(50_000);
    socket.end();
    bob.end();
  });
});

describe('requests at once', () => {
  /** Alice's chat with herself, with a history of more than 1 MiB a page. */
  async function largeHistory(world: World): Promise<string> {
    const { alice } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, alice);
    for (let at = 0; at < 40; at += 1) await alice.api.sendMessage({ chat_id, text: 'x'.repeat(32_000) });
    return chat_id;
  }
  /** How often an operation was called. */
  async function callsOf(world: World, operation: string): Promise<number> {
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    const counts = metrics.matchAll(
      new RegExp(`^parley_requests_total\\{operation="${operation}",.*\\} (\\d+)$`, 'gm'),
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  test('SOCKET-5, SOCKET-13: pages beyond counting are all answered, and others are not held up', async () => {
    await using world = await createWorld();
    const chat_id = await largeHistory(world);
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
  });

  test('SOCKET-10: of a socket whose replies are not read no further request begins, and others go on', async () => {
    await using world = await createWorld();
    const chat_id = await largeHistory(world);
    const [alice, bob] = [
      await RawSocket.open(world.url, { token }),
      await RawSocket.open(world.url, { token: 'dev:bob' }),
    ];
    alice.pause();
    const params = { chat_id, limit: 200 };
    for (let id = 0; id < 200; id += 1) alice.request(id, 'getChatHistory', params);
    for (let id = 0; id < 100; id += 1) {
      bob.request(id, 'getMe');
      await bob.reply(id);
    }
    // What the system's buffers on the way took, and no more.
    const begun = await callsOf(world, 'getChatHistory');
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(50);
    alice.resume();
    await alice.until(() => alice.texts.length === 201 || undefined);
    alice.end();
    bob.end();
  });

  test('SOCKET-5: at most 256 are under way; the others wait, and none is skipped', async () => {
    const store = new HeldStore();
    await using world = await createWorld({ startStore: store.start });
    const { alice } = await world.people('alice');
    const { id: chat_id } = await world.group(alice);
    const socket = await RawSocket.open(world.url, { token });
    void store.hold();
    for (let id = 0; id < 400; id += 1) socket.request(id, 'sendMessage', { chat_id, text: `message ${id}` });
    while (world.service.units.inFlight < 256) await turnOfLoop();
    for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
    expect(world.service.units.inFlight).toBe(256);
    store.release();
    await socket.until(() => socket.texts.filter((reply) => reply.startsWith('{"id"')).length === 400 || undefined);
    const { items } = await alice.api.getChatHistory({ chat_id, limit: 200 });
    expect(items.map(({ content }) => content)).toEqual(Array.from({ length: 200 }, (_, at) => `message ${200 + at}`));
    socket.end();
  });

  test('SOCKET-3, SOCKET-5: replies without an id keep their order behind a slow one, and do not pile up', async () => {
    const store = new HeldStore();
    await using world = await createWorld({ startStore: store.start });
    const { alice } = await world.people('alice');
    const { id: chat_id } = await world.group(alice);
    const socket = await RawSocket.open(world.url, { token });
    void store.hold();
    socket.request(undefined, 'sendMessage', { chat_id, text: 'slow' });
    for (let at = 0; at < 1_000; at += 1) socket.write(frame(text, '{}'));
    socket.request(undefined, 'getMe');
    while (world.service.units.inFlight < 1) await turnOfLoop();
    for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
    expect(socket.texts).toHaveLength(1);
    store.release();
    await socket.until(() => socket.texts.filter((reply) => reply.startsWith('{"ok"')).length === 1_002 || undefined);
    const replies = socket.texts.filter((reply) => reply.startsWith('{"ok"'));
    expect(JSON.parse(replies[0] ?? '')).toMatchObject({ ok: true, result: { content: 'slow' } });
    expect(JSON.parse(replies.at(-1) ?? '')).toMatchObject({ ok: true, result: { username: 'alice' } });
    socket.end();
  });

  test('SOCKET-4: writes take effect in the order in which they came, also behind one that is prepared first', async () => {
    await using world = await createWorld();
    const { alice } = await world.people('alice');
    const { id: chat_id } = await world.group(alice);
    const socket = await RawSocket.open(world.url, { token });
    const bots = Array.from({ length: 20 }, (_, at) => `bot${at}`);
    socket.write(
      Buffer.concat(
        bots.flatMap((slug) => [
          frame(
            text,
            JSON.stringify({ id: `make ${slug}`, method: 'createBot', params: { slug, display_name: slug } }),
          ),
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
});

describe('sockets over time', () => {
  async function timedWorld() {
    const clock = new ManualClock();
    const world = await createWorld({ clock });
    const { alice, bob } = await world.people('alice', 'bob');
    return { clock, world, alice, bob };
  }

  test('SOCKET-7, SOCKET-8: every 25 s a tick and a ping; who gives no sign of life for 75 s is cut off', async () => {
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

  test('SOCKET-9: who does not read misses frames, is closed after 30 s, and nobody else notices', async () => {
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
    await slow.until(() => (slow.isEnded ? true : undefined)).catch(() => true);
    const received = slow.texts.filter((message) => message.includes('events.messageNew')).length;
    expect(received).toBeLessThan(600);
    expect(reader.isOpen).toBe(true);
  });

  test('SOCKET-11: the 51st socket of an account closes the first, also when that one does not agree', async () => {
    const { clock, world } = await timedWorld();
    await using _ = world;
    const sockets: RawSocket[] = [];
    for (let count = 0; count < 53; count += 1) sockets.push(await RawSocket.open(world.url, { token }));
    const oldest = sockets.slice(0, 3);
    for (const socket of oldest) expect(await socket.closed()).toBe(1013);
    for (const socket of oldest) expect(socket.isEnded).toBe(false);
    await clock.advance(7_000);
    for (const socket of oldest) await socket.until(() => socket.isEnded || undefined).catch(() => true);
    expect(world.service.sockets.count).toBe(50);
    for (const socket of sockets) socket.end();
  });

  test('AUTH-15: a socket that ignores the end of its session is heard no more, and cut off', async () => {
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

  test('SOCKET-8: what a lost network leaves is cleared away', async () => {
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
    while (world.service.sockets.count > 0) await turnOfLoop();
    const reader = await bob.socket();
    expect(await reader.rpc('getMe')).toMatchObject({ username: 'bob' });
  });
});
