import { createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import {
  ALICE,
  exchange,
  expectError,
  HOST,
  JSON_TYPE,
  RawConnection,
  size,
  upgrade,
  withHead,
} from '../helpers/raw-http.ts';
import { frame, opcode, RawSocket } from '../helpers/raw-socket.ts';

const KIB = 1024;
const POST = (name: string, head: string) => `POST /api/${name} HTTP/1.1\r\n${head}${JSON_TYPE}`;
const signIn = JSON.stringify({ username: 'nobody', password: 'a wrong one' });

/** Resolves when the service has read what was written before. */
async function taken(world: World): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
  expect(await exchange(world.nodeUrl, `GET /healthz HTTP/1.1\r\n${HOST}\r\n`)).toMatchObject({ status: 200 });
  for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
}

test.each(['signUp', 'signIn', 'getServerInfo'])(
  'LIMIT-20: %s accepts up to 16 KiB, with a declared length or in chunks',
  async (name) => {
    await using world = await createWorld();
    const padded = (bytes: number) => {
      const start = '{"username":"nobody","password":"a wrong one","more":"';
      return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
    };
    const most = padded(16 * KIB);
    const accepted = await exchange(world.nodeUrl, withHead(`${POST(name, HOST)}${size(most)}\r\n`, most));
    expect([200, 401]).toContain(accepted?.status);
    // Refused by its declared length, before the body is read.
    expectError(await exchange(world.nodeUrl, `${POST(name, HOST)}content-length: ${16 * KIB + 1}\r\n\r\n`), 413);
    const chunk = `${(20 * KIB).toString(16)}\r\n${'x'.repeat(20 * KIB)}\r\n`;
    expectError(await exchange(world.nodeUrl, `${POST(name, HOST)}transfer-encoding: chunked\r\n\r\n${chunk}`), 413);
  },
);

test('LIMIT-20: an unfinished sign-in is cut off after 10 s, an unfinished call with a token after two minutes', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  await world.person('alice');
  const half = (head: string) => {
    const connection = new RawConnection(world.nodeUrl);
    connection.write(`${head}expect: 100-continue\r\ncontent-length: 1000\r\n\r\n{`);
    return connection;
  };
  const strangers = Array.from({ length: 20 }, () => half(POST('signIn', HOST)));
  const alice = half(POST('getUser', ALICE));
  for (const connection of [...strangers, alice]) await connection.continued();
  await clock.advance(10_000);
  for (const connection of strangers) {
    expectError(await connection.reply(), 400);
    await connection.closed();
  }
  await clock.advance(100_000);
  expect(alice.isClosed).toBe(false);
  await clock.advance(11_000);
  await alice.closed();
});

test('LIMIT-20: unfinished bodies share one budget; above it a body is 503, but one that arrives complete is served', async () => {
  await using world = await createWorld({ env: { MAX_UNFINISHED_BYTES: '100000' } });
  await world.person('alice');
  const half = (bytes: number) => {
    const connection = new RawConnection(world.nodeUrl);
    connection.write(`${POST('getUser', ALICE)}content-length: 500000\r\n\r\n${' '.repeat(bytes)}`);
    return connection;
  };
  const one = half(60_000);
  await taken(world);
  const other = half(60_000);
  expectError(await other.reply(), 503);
  await other.closed();
  const body = '{"username":"alice"}';
  expect(await exchange(world.nodeUrl, withHead(`${POST('getUser', ALICE)}${size(body)}\r\n`, body))).toMatchObject({
    status: 200,
  });
  // An aborted body frees its share.
  one.end();
  await taken(world);
  const third = half(60_000);
  await taken(world);
  expect(third.isClosed).toBe(false);
  third.end();
});

test('LIMIT-20: unfinished frames count towards the same budget; a socket above it is closed with 1013', async () => {
  await using world = await createWorld({ env: { MAX_UNFINISHED_BYTES: '100000' } });
  await world.person('alice');
  const open = () => RawSocket.open(world.nodeUrl, { token: 'dev:alice' });
  const big = frame(opcode.text, 'x'.repeat(90_000));
  const [one, other, third] = [await open(), await open(), await open()];
  one.write(big.subarray(0, 60_000));
  await taken(world);
  // A message in two frames counts in the same way.
  other.write(Buffer.concat([frame(opcode.text, 'x'.repeat(30_000), { fin: false }), big.subarray(0, 30_000)]));
  expect(await other.closed()).toBe(1013);
  // Complete messages do not count, however many.
  for (let id = 1; id <= 20; id += 1) third.request(id, 'getUser', { username: 'alice', more: 'x'.repeat(20_000) });
  for (let id = 1; id <= 20; id += 1) expect(await third.reply(id)).toMatchObject({ ok: true });
  one.end();
  other.end();
  await taken(world);
  third.write(big.subarray(0, 60_000));
  await taken(world);
  expect(third.closeCode).toBeUndefined();
  third.end();
});

test('LIMIT-26: an account that leaves large bodies unfinished does not prevent others from sending', async () => {
  await using world = await createWorld({ env: { MAX_UNFINISHED_BYTES: String(16 * KIB * KIB) } });
  await world.person('alice');
  await world.person('bob');
  const attackers = Array.from({ length: 24 }, () => {
    const connection = new RawConnection(world.nodeUrl);
    const head = `${POST('getUser', ALICE)}content-length: ${KIB * KIB}\r\n\r\n`;
    connection.write(withHead(head, ' '.repeat(KIB * KIB - 1)));
    return connection;
  });
  const socket = await RawSocket.open(world.nodeUrl, { token: 'dev:bob' });
  await taken(world);
  // 2 of the 24 bodies fit into an eighth of the budget.
  while (attackers.filter(({ isClosed }) => isClosed).length < 22) await turnOfLoop();
  const message = frame(opcode.text, JSON.stringify({ id: 1, method: 'getMe', params: { more: 'x'.repeat(300_000) } }));
  socket.write(message.subarray(0, 200_000));
  await taken(world);
  socket.write(message.subarray(200_000));
  expect(await socket.reply(1)).toMatchObject({ ok: true });
  const body = JSON.stringify({ username: 'alice', more: 'x'.repeat(900_000) });
  const bystander = new RawConnection(world.nodeUrl);
  const whole = withHead(`${POST('getUser', `${HOST}authorization: Bearer dev:bob\r\n`)}${size(body)}\r\n`, body);
  bystander.write(whole.subarray(0, 500_000));
  await taken(world);
  bystander.write(whole.subarray(500_000));
  expect(await bystander.reply()).toMatchObject({ status: 200 });
  for (const connection of [...attackers, bystander, socket]) connection.end();
});

test('LIMIT-26: when the budget is used up, the account that holds most of it loses its largest body', async () => {
  await using world = await createWorld({ env: { MAX_UNFINISHED_BYTES: '100000' } });
  for (const name of ['alice', 'bob', 'carol']) await world.person(name);
  const half = async (name: string, bytes: number) => {
    const connection = new RawConnection(world.nodeUrl);
    const head = `${POST('getUser', `${HOST}authorization: Bearer dev:${name}\r\n`)}content-length: 500000\r\n\r\n`;
    connection.write(withHead(head, ' '.repeat(bytes)));
    await taken(world);
    return connection;
  };
  const [small, large, other] = [await half('alice', 20_000), await half('alice', 40_000), await half('bob', 30_000)];
  const newcomer = await half('carol', 30_000);
  expectError(await large.reply(), 503);
  await large.closed();
  expect([small, other, newcomer].map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
  // A new message is refused if its account would then hold most of the budget.
  const socket = await RawSocket.open(world.nodeUrl, { token: 'dev:alice' });
  socket.write(frame(opcode.text, 'x'.repeat(40_000)).subarray(0, 30_000));
  await taken(world);
  expect(socket.closeCode).toBe(1013);
  for (const connection of [small, other, newcomer, socket]) connection.end();
});

test('LIMIT-20: a message that is incomplete after two minutes closes its socket', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  await world.person('alice');
  const socket = await RawSocket.open(world.nodeUrl, { token: 'dev:alice' });
  socket.write(frame(opcode.text, 'x'.repeat(1_000), { fin: false }));
  for (let seconds = 0; seconds < 120; seconds += 30) {
    // Control frames may come between the frames of a message.
    socket.write(frame(opcode.pong));
    await taken(world);
    expect(socket.closeCode).toBeUndefined();
    await clock.advance(30_000);
  }
  expect(await socket.closed()).toBe(1013);
  socket.end();
});

test('LIMIT-20: a socket whose chunks always end within the next message stays open', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  await world.person('alice');
  const socket = await RawSocket.open(world.nodeUrl, { token: 'dev:alice' });
  const message = (id: number) => frame(opcode.text, JSON.stringify({ id, method: 'getMe' }));
  let next = message(0);
  socket.write(next.subarray(0, 10));
  for (let id = 0; id < 8; id += 1) {
    const rest = next.subarray(10);
    next = message(id + 1);
    socket.write(Buffer.concat([rest, next.subarray(0, 10)]));
    expect(await socket.reply(id)).toMatchObject({ ok: true });
    // A pong, so that the socket is not closed for its silence.
    await clock.advance(25_000);
  }
  expect(socket.closeCode).toBeUndefined();
  socket.end();
});

test('LIMIT-21: an address may have 64 unauthenticated connections; more are closed, and others can still sign in', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: { MAX_UNKNOWN_CONNECTIONS: '64' } });
  await world.person('alice');
  // Authenticated connections do not count.
  const known = Array.from({ length: 70 }, () => new RawConnection(world.nodeUrl));
  for (const connection of known) {
    connection.write(`POST /api/getMe HTTP/1.1\r\n${ALICE}\r\n`);
    expect(await connection.reply()).toMatchObject({ status: 200 });
  }
  const silent = Array.from({ length: 700 }, () => new RawConnection(world.nodeUrl));
  while (silent.filter(({ isClosed }) => isClosed).length < 700 - 64 * 5) await turnOfLoop();
  // A connection that authenticates in time stays, whatever else its address sends.
  await clock.advance(250);
  while (silent.filter(({ isClosed }) => isClosed).length < 700 - 64) await turnOfLoop();
  for (let turns = 0; turns < 50; turns += 1) await turnOfLoop();
  expect(silent.filter(({ isClosed }) => isClosed)).toHaveLength(700 - 64);
  expect(await exchange(world.nodeUrl, `POST /api/getMe HTTP/1.1\r\n${ALICE}\r\n`)).toMatchObject({ status: 200 });
  expect(await exchange(world.nodeUrl, upgrade({}))).toMatchObject({ status: 101 });
  for (const connection of [...silent, ...known]) connection.end();
});

test('LIMIT-21: connections of a trusted proxy are not counted', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({
    clock,
    env: { MAX_UNKNOWN_CONNECTIONS: '2', TRUSTED_PROXIES: 'loopback' },
  });
  const silent = Array.from({ length: 30 }, () => new RawConnection(world.nodeUrl));
  await taken(world);
  await clock.advance(1_000);
  await taken(world);
  expect(silent.filter(({ isClosed }) => isClosed)).toEqual([]);
  for (const connection of silent) connection.end();
});

test(
  'LIMIT-21: a connection without a first request within seconds is closed',
  { tags: ['long'], timeout: 20_000 },
  async () => {
    await using world = await createWorld();
    const silent = new RawConnection(world.nodeUrl);
    const slow = new RawConnection(world.nodeUrl);
    slow.write(`POST /api/signIn HTTP/1.1\r\n${HOST}`);
    await Promise.all([silent.closed(), slow.closed()]);
    const body = await exchange(world.nodeUrl, withHead(`${POST('signIn', HOST)}${size(signIn)}\r\n`, signIn));
    expectError(body, 401);
  },
);
