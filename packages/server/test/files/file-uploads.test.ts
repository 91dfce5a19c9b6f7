import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld, ManualClock, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import {
  filePart,
  FORM_TYPE,
  formBody,
  incomingNames,
  storedNames,
  upload,
  uploadRequest,
} from '../helpers/file-stage.ts';
import { ALICE, exchange, expectError, JSON_TYPE, RawConnection, size, withHead } from '../helpers/raw-http.ts';

const SMALL = { MAX_FILE_BYTES: '100000' };
const bytes = (count: number) => Buffer.alloc(count, 'x');

/** Expects that refused uploads have left nothing behind. */
async function expectNothing(world: World): Promise<void> {
  while (incomingNames(world).length > 0) await turnOfLoop();
  await world.settle();
  expect(await storedNames(world)).toEqual([]);
}

/** Waits until the only upload in progress has received at least this many bytes. */
async function arrived(world: World, least: number): Promise<void> {
  const size = () =>
    world.dataDirs
      .map((folder) => join(folder, 'files', 'incoming'))
      .flatMap((folder) => readdirSync(folder).map((name) => statSync(join(folder, name)).size))[0] ?? 0;
  while (size() < least) await turnOfLoop();
}

test('FILE-1: a body that is not a form is 415, one without a file is 400, and the connection stays usable', async () => {
  await using world = await createWorld({ env: SMALL });
  const connection = new RawConnection(world.url);
  const cases: [what: Buffer, status: number][] = [
    [uploadRequest(ALICE, Buffer.from('{}'), JSON_TYPE), 415],
    [uploadRequest(ALICE, Buffer.from('a=b'), 'content-type: application/x-www-form-urlencoded\r\n'), 415],
    [uploadRequest(ALICE, Buffer.from('hello'), 'content-type: multipart/mixed; boundary=a\r\n'), 415],
    [withHead(`POST /api/uploadFile HTTP/1.1\r\n${ALICE}content-length: 0\r\n\r\n`), 400],
    [uploadRequest(ALICE, Buffer.from('hello'), 'content-type: multipart/form-data\r\n'), 400],
    [uploadRequest(ALICE, formBody([])), 400],
    [uploadRequest(ALICE, formBody([{ head: 'content-disposition: form-data; name="text"', body: 'x' }])), 400],
    [uploadRequest(ALICE, formBody([filePart('x', 'x', 'other')])), 400],
    [uploadRequest(ALICE, formBody([filePart('x')], '')), 400],
    // A text field named `file`.
    [
      uploadRequest(ALICE, formBody([{ head: 'content-disposition: form-data; name="file"', body: '<file object>' }])),
      400,
    ],
    [uploadRequest(ALICE, formBody([filePart('x'), filePart('y')])), 400],
    [uploadRequest(ALICE, formBody([filePart(bytes(99_000)), filePart('y')])), 400],
    [uploadRequest(ALICE, formBody([filePart(bytes(99_000))], '--a-boundary\r\ncontent-type: te')), 400],
    [uploadRequest(ALICE, formBody([{ head: `content-disposition: form-data; x="${'y'.repeat(100_000)}"` }])), 400],
    [uploadRequest(ALICE, formBody(Array.from({ length: 500 }, (_, at) => filePart('x', 'x', `f${at}`)))), 400],
    [uploadRequest(ALICE, formBody([filePart(bytes(100_001))])), 413],
    [uploadRequest(ALICE, formBody([filePart('x', 'x', 'junk'.repeat(10)), filePart(bytes(300_000), 'x', 'z')])), 413],
    [uploadRequest('host: localhost\r\n', formBody([filePart('x')])), 401],
  ];
  for (const [request, status] of cases) {
    connection.write(request);
    const reply = await connection.reply();
    expect([request.toString('latin1', 0, 300), reply?.status]).toEqual([request.toString('latin1', 0, 300), status]);
    expectError(reply, status);
  }
  // The same connection still accepts a valid upload.
  connection.write(uploadRequest(ALICE, formBody([filePart(bytes(100_000), 'all.bin')])));
  const reply = await connection.reply();
  expect([reply?.status, JSON.parse(reply?.body ?? '').result]).toMatchObject([
    200,
    { size: 100_000, name: 'all.bin' },
  ]);
  const names = await storedNames(world);
  expect(names).toHaveLength(1);
  // Aborted uploads are removed as soon as their files are closed.
  await expect.poll(() => incomingNames(world)).toEqual([]);
  const other = withHead(`GET /api/uploadFile HTTP/1.1\r\n${ALICE}\r\n`);
  connection.write(other);
  expectError(await connection.reply(), 405);
  connection.end();
});

test('FILE-1: other fields are ignored, before and after the file', async () => {
  await using world = await createWorld();
  const field = (name: string) => ({ head: `content-disposition: form-data; name="${name}"`, body: 'x'.repeat(5_000) });
  const body = formBody([field('a'), field('__proto__'), filePart('content', 'ä ü.txt'), field('b')]);
  const reply = await exchange(world.url, uploadRequest(ALICE, body));
  expect(JSON.parse(reply?.body ?? '')).toMatchObject({ ok: true, result: { size: 7, name: 'ä ü.txt' } });
});

test('FILE-1: on a socket uploadFile is refused, and the error points to HTTP', async () => {
  await using world = await createWorld();
  const socket = await (await world.person('alice')).socket();
  for (const params of [{}, { file: 'x' }, { file: { name: 'x', bytes: [] } }])
    expect(await failure(socket.rpc('uploadFile', params))).toMatchObject({
      code: 'invalid_argument',
      description: expect.stringContaining('HTTP'),
      parameters: { field: 'file' },
    });
});

test('FILE-2: an upload that breaks off anywhere leaves nothing behind', async () => {
  await using world = await createWorld({ env: SMALL });
  const whole = uploadRequest(ALICE, formBody([filePart(bytes(50_000))]));
  for (const at of [150, 250, 400, 30_000, whole.length - 5]) {
    const connection = new RawConnection(world.url);
    connection.write(whole.subarray(0, at));
    for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
    connection.end();
    while (world.sum(({ files }) => files.slots.count) > 0) await turnOfLoop();
    await expectNothing(world);
  }
});

test('FILE-1: a body that is far too large is refused immediately, and its connection is closed some seconds later', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ env: SMALL, clock });
  const connection = new RawConnection(world.url);
  connection.write(`POST /api/uploadFile HTTP/1.1\r\n${ALICE}${FORM_TYPE}content-length: 9000000000\r\n\r\nxx`);
  expectError(await connection.reply(), 413);
  connection.write(bytes(10_000));
  await clock.timerSet(5_000);
  expect(connection.isClosed).toBe(false);
  await clock.advance(5_000);
  await connection.closed();
  await expectNothing(world);
});

test('FILE-3: an upload without any bytes for 20 seconds is aborted', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  await world.person('alice');
  const whole = uploadRequest(ALICE, formBody([filePart(bytes(1_000_000))]));
  const connection = new RawConnection(world.url);
  connection.write(whole.subarray(0, 200_000));
  await arrived(world, 199_000);
  await clock.advance(15_000);
  connection.write(whole.subarray(200_000, 400_000));
  await arrived(world, 399_000);
  await clock.advance(15_000);
  expect(world.sum(({ files }) => files.slots.count)).toBe(1);
  await clock.advance(5_000);
  const reply = await connection.reply();
  expectError(reply, 400);
  expect(reply?.body).toContain('too slowly');
  connection.end();
  await expectNothing(world);
});

test('FILE-3: an upload slower than 8 KiB a second is aborted after 20 seconds, however steady', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  await world.person('alice');
  const whole = uploadRequest(ALICE, formBody([filePart(bytes(1_000_000))]));
  const connection = new RawConnection(world.url);
  const slots = () => world.sum(({ files }) => files.slots.count);
  for (let second = 0; second < 20; second += 1) {
    connection.write(whole.subarray(second * 8_000, (second + 1) * 8_000));
    for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
    if (second === 0) while (slots() === 0) await turnOfLoop();
    expect([second, slots()]).toEqual([second, 1]);
    await clock.advance(1_000);
  }
  expectError(await connection.reply(), 400);
  connection.end();
  await expectNothing(world);
});

test('FILE-3: uploads of a person’s bots take the person’s slots', async () => {
  await using world = await createWorld({ env: SMALL });
  // Each node counts its own slots.
  world.stayOnFirst();
  const { alice, bob } = await world.people('alice', 'bob');
  const bots = [await world.bot(alice, 'one'), await world.bot(alice, 'two')];
  const open = [...bots, ...bots].map((bot) => {
    const connection = new RawConnection(world.url);
    const head = `host: localhost\r\nauthorization: Bearer ${bot.token}\r\n`;
    connection.write(uploadRequest(head, formBody([filePart(bytes(50_000))])).subarray(0, 30_000));
    return connection;
  });
  while (world.sum(({ files }) => files.slots.count) < 4) await turnOfLoop();
  for (const actor of [alice, ...bots])
    expect(await failure(upload(actor, 'x'))).toMatchObject({ code: 'rate_limited', parameters: { retry_after: 1 } });
  await upload(bob, 'x');
  for (const connection of open) connection.end();
  while (world.sum(({ files }) => files.slots.count) > 0) await turnOfLoop();
});

test(
  'FILE-15: the storage of a person and its bots is limited, and deletions free space',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld({ env: { ...SMALL, MAX_STORED_BYTES: '30000' } });
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, bob);
    const bot = await world.bot(alice);
    const first = await upload(alice, bytes(10_000));
    const { id } = await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: first.id }] });
    await upload(bot, bytes(10_000));
    // Each file also counts 4,096 bytes besides its own.
    for (const actor of [alice, bot])
      expect(await failure(upload(actor, bytes(10_000)))).toMatchObject({
        code: 'too_large',
        status: 413,
        parameters: { field: 'file' },
      });
    await upload(bob, bytes(20_000));
    await world.settle();
    expect(await storedNames(world)).toHaveLength(3);
    await world.crash();
    expect(await failure(upload(bot, bytes(10_000)))).toMatchObject({ code: 'too_large' });
    await alice.api.deleteMessages({ message_ids: [id] });
    await upload(alice, bytes(10_000));
  },
);

test('FILE-15: below the minimum of free disk space uploads are refused', async () => {
  await using world = await createWorld({ env: { MIN_FREE_BYTES: '900000000000000' }, expectsErrors: true });
  const alice = await world.person('alice');
  expect(await failure(upload(alice, bytes(10)))).toMatchObject({ code: 'unavailable', status: 503 });
  expect(await failure(upload(alice, bytes(1_000_000)))).toMatchObject({ code: 'unavailable' });
  await expectNothing(world);
});

const slotsOf = (world: World) => world.sum(({ files }) => files.slots.count);

/** Uploads that have taken their slots and send nothing more. */
async function halfUploads(world: World, ...names: string[]): Promise<RawConnection[]> {
  const connections = names.map((who) => {
    const connection = new RawConnection(world.url);
    const head = `host: localhost\r\nauthorization: Bearer dev:${who}\r\n`;
    connection.write(uploadRequest(head, formBody([filePart(bytes(50_000))])).subarray(0, 30_000));
    return connection;
  });
  while (slotsOf(world) < names.length) await turnOfLoop();
  return connections;
}

test('FILE-3: an account can upload four files at the same time', async () => {
  await using world = await createWorld({ env: SMALL });
  // Each node counts its own slots.
  world.stayOnFirst();
  const { alice, bob } = await world.people('alice', 'bob');
  const open = await halfUploads(world, 'alice', 'alice', 'alice', 'alice');
  expect(await failure(upload(alice, 'x'))).toMatchObject({ code: 'rate_limited', parameters: { retry_after: 1 } });
  await upload(bob, 'x');
  for (const connection of open) connection.end();
  while (slotsOf(world) > 0) await turnOfLoop();
  await upload(alice, 'x');
});

test('FILE-3: while all slots are taken by others who hold no more, an upload is 503', async () => {
  // The clock stands still: none of these uploads is slow yet.
  await using world = await createWorld({ clock: new ManualClock(), env: SMALL, settings: { uploadsInAll: 3 } });
  world.stayOnFirst();
  const { carol } = await world.people('alice', 'bob', 'carol', 'dan');
  const open = await halfUploads(world, 'alice', 'bob', 'dan');
  expect(await failure(upload(carol, 'x'))).toMatchObject({ code: 'unavailable', status: 503 });
  for (const connection of open) connection.end();
  while (slotsOf(world) > 0) await turnOfLoop();
  await upload(carol, 'x');
});

test('FILE-31: people who upload slowly in all places do not keep others from uploading', async () => {
  await using world = await createWorld({ clock: new ManualClock(), env: SMALL, settings: { uploadsInAll: 8 } });
  world.stayOnFirst();
  const { carol } = await world.people('ann', 'ben', 'carol');
  const slow = await halfUploads(world, 'ann', 'ann', 'ann', 'ann', 'ben', 'ben', 'ben', 'ben');
  await upload(carol, 'x');
  expectError(await Promise.race(slow.map((connection) => connection.reply())), 503);
  expect(slotsOf(world)).toBe(7);
  for (const connection of slow) connection.end();
  while (slotsOf(world) > 0) await turnOfLoop();
});

test('FILE-3: an account’s unsent files are limited; sending or deleting one frees space', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({
    env: SMALL,
    clock,
    settings: { unusedFileBytes: 1_000, unusedFileMs: 60_000 },
  });
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const first = await upload(alice, bytes(600));
  await clock.advance(10_000);
  expect(await failure(upload(alice, bytes(600)))).toMatchObject({
    code: 'rate_limited',
    parameters: { retry_after: 50 },
  });
  await upload(bob, bytes(600));
  await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: first.id }] });
  await upload(alice, bytes(1_000));
  expect(await failure(upload(alice, bytes(1)))).toMatchObject({ code: 'rate_limited' });
  await world.settle();
  // The refused uploads have stored nothing.
  expect(await storedNames(world)).toHaveLength(3);
});

embeddedTest('several nodes take their rates from the clock of Redis')(
  'LIMIT-2: an account can upload 60 files in a burst, then one a second',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, env: { RATE_LIMITS: '1', RATE_UPLOADS_BURST: '2' } });
    const alice = await world.person('alice');
    await upload(alice, 'a');
    await upload(alice, 'b');
    expect(await failure(upload(alice, 'c'))).toMatchObject({ code: 'rate_limited', parameters: { retry_after: 1 } });
    await clock.advance(1_000);
    await upload(alice, 'c');
  },
);

test('AUTH-16: an upload whose session ends before it completes stores nothing', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const member = await world.member();
  const body = formBody([filePart(bytes(50_000))]);
  const whole = uploadRequest(`host: localhost\r\nauthorization: Bearer ${member.token}\r\n`, body);
  const connection = new RawConnection(world.url);
  connection.write(whole.subarray(0, 30_000));
  while (world.sum(({ files }) => files.slots.count) === 0) await turnOfLoop();
  await member.api.signOut();
  await clock.advance(250);
  connection.write(whole.subarray(30_000));
  expectError(await connection.reply(), 401);
  connection.end();
  await expectNothing(world);
});

test('CONFIG-13: MAX_STORED_BYTES and MIN_FREE_BYTES are whole numbers; a wrong value is an error that names it', async () => {
  for (const name of ['MAX_STORED_BYTES', 'MIN_FREE_BYTES'])
    for (const wrong of ['0', '-1', '10GB', '9999999999999999'])
      expect(await failure(createWorld({ env: { [name]: wrong } }))).toMatchObject({
        message: expect.stringContaining(name),
      });
});

test('CONFIG-12: MAX_FILE_BYTES is the maximum size of a file; a wrong value is an error that names it', async () => {
  for (const wrong of ['0', '-1', '1.5', '25MB', '9999999999999'])
    expect(await failure(createWorld({ env: { MAX_FILE_BYTES: wrong } }))).toMatchObject({
      message: expect.stringContaining('MAX_FILE_BYTES'),
    });
  expect(size('')).toBe('content-length: 0\r\n');
});
