import { createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { frame, opcode, RawSocket } from '../helpers/raw-socket.ts';

const MIB = 1024 * 1024;
const token = 'dev:alice';
const request = '{"id":1,"method":"getMe"}';
const { text, continuation, binary, ping, close } = opcode;

/** A request of exactly this many bytes. */
const padded = (bytes: number): string => {
  const start = '{"id":1,"method":"getMe","params":{"more":"';
  return `${start}${'x'.repeat(bytes - start.length - 3)}"}}`;
};
/** One message as frames of this many bytes. */
const inPieces = (message: string | Buffer, bytes: number): Buffer[] => {
  const data = Buffer.from(message as string);
  const count = Math.ceil(data.length / bytes);
  return Array.from({ length: count }, (_, at) =>
    frame(at === 0 ? text : continuation, data.subarray(at * bytes, (at + 1) * bytes), { fin: at === count - 1 }),
  );
};

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
    [frame(text, '', { fin: false }), ...Array.from({ length: 2_000 }, () => frame(continuation, '', { fin: false }))],
    1008,
  ],
])('SOCKET-12: a frame %s closes the socket', async (_what, writes, code) => {
  const socket = await RawSocket.open(world.url, { token });
  socket.write(Buffer.concat(writes.map((bytes) => Buffer.from(bytes as string))));
  expect(await socket.closed()).toBe(code);
  socket.end();
});

test('SOCKET-3, SOCKET-12: an invalid request is refused, and the socket stays usable', async () => {
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

test('SOCKET-14: a flood of pings is answered with few pongs, and does not affect others', async () => {
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
