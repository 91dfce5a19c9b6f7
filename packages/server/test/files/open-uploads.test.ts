import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@parley/client';
import { uploadFile } from '@parley/client/upload';
import { createWorld, ManualClock, unknownId } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { get, incomingNames, photo, storedNames, upload } from '../helpers/file-stage.ts';
import { ALICE, RawConnection } from '../helpers/raw-http.ts';
import { tus } from '../helpers/tus-stage.ts';

const MIB = 1024 * 1024;
const random = (bytes: number) => Buffer.from(randomBytes(bytes));
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('FILE-32: an upload in several requests becomes the file that uploadFile would return', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const bytes = await photo('png', { width: 300, height: 200 });
  const { create, patch, ask, offset, file } = tus(world, alice);
  const created = await create(bytes.length, '../b/ä ü.png');
  expect(created.status).toBe(201);
  const path = created.headers.get('location') ?? '';
  expect(path).toMatch(/^\/api\/uploads\/[\da-f-]{36}$/);
  expect(await ask('GET', path)).toMatchObject({ status: 409, body: { parameters: { offset: 0 } } });
  const first = await patch(path, 0, bytes.subarray(0, 100));
  expect([first.status, first.headers.get('upload-offset'), await offset(path)]).toEqual([204, '100', 100]);
  expect((await patch(path, 100, bytes.subarray(100))).status).toBe(204);
  const made = await file(path);
  const whole = await upload(alice, bytes, 'ä ü.png');
  expect(made).toEqual({
    ...whole,
    id: made.id,
    url: expect.stringContaining(`/files/${made.id}?`),
    thumbnail_url: expect.stringContaining(`/files/${made.id}/thumbnail?`),
  });
  const stored = await get(world, made.url);
  expect(sum(new Uint8Array(await stored.arrayBuffer()))).toBe(sum(bytes));
  // It is sent like any other.
  const { id: chat_id } = await world.direct(alice, bob);
  const message = await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: made.id }] });
  expect(message.attachments).toMatchObject([{ id: made.id, name: 'ä ü.png', kind: 'photo' }]);
  // A repetition makes no second file, and its parts are removed.
  expect(await file(path)).toMatchObject({ id: made.id });
  expect((await patch(path, bytes.length, '')).status).toBe(204);
  await world.settle();
  expect((await storedNames(world)).filter((name) => !name.startsWith(whole.id))).toEqual([
    made.id,
    `${made.id}-thumbnail`,
  ]);
});

test('FILE-33: OPTIONS tells the protocol and the largest file, without a token', async () => {
  await using world = await createWorld({ env: { MAX_FILE_BYTES: '100000' } });
  const { alice } = await world.people('alice');
  const response = await fetch(`${world.url}/api/uploads`, { method: 'OPTIONS' });
  expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
    204,
    {
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,expiration,termination',
      'tus-max-size': '100000',
    },
  ]);
  const { create, ask } = tus(world, alice);
  expect(await create(100_001)).toMatchObject({
    status: 413,
    body: { error_code: 'too_large', description: 'the file is larger than 100000 bytes' },
  });
  expect((await create(100_000)).status).toBe(201);
  expect(await create(1, 'a', { 'tus-resumable': '0.2.2' })).toMatchObject({ status: 412 });
  for (const length of ['', '-1', '1.5', '1e3', '9'.repeat(20)])
    expect(await ask('POST', '/api/uploads', { 'upload-length': length })).toMatchObject({ status: 400 });
  expect(await ask('POST', '/api/uploads', { 'upload-length': '1' }, 'x')).toMatchObject({ status: 400 });
});

test('FILE-35: bytes at another offset are 409, more than declared 413, another content type 415', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { begin, patch, offset } = tus(world, alice);
  const path = await begin(10);
  expect(await patch(path, 3, 'defg')).toMatchObject({ status: 409, body: { parameters: { offset: 0 } } });
  expect((await patch(path, 0, 'abc')).status).toBe(204);
  expect(await patch(path, 0, 'abc')).toMatchObject({ status: 409, body: { parameters: { offset: 3 } } });
  expect(await patch(path, 3, 'more than seven')).toMatchObject({ status: 413, body: { error_code: 'too_large' } });
  expect((await patch(path, 3, 'd', { 'content-type': 'application/json' })).status).toBe(415);
  expect((await patch(path, 3, 'd', { 'upload-offset': 'x' })).status).toBe(400);
  expect(await offset(path)).toBe(3);
  // Without a declared length the body is counted as it arrives.
  const connection = new RawConnection(world.url);
  connection.write(
    Buffer.from(
      `PATCH ${path} HTTP/1.1\r\n${ALICE}tus-resumable: 1.0.0\r\nupload-offset: 3\r\n` +
        'content-type: application/offset+octet-stream\r\ntransfer-encoding: chunked\r\n\r\n8\r\nmore tha\r\n0\r\n\r\n',
    ),
  );
  expect((await connection.reply())?.status).toBe(413);
  connection.end();
  expect(await offset(path)).toBe(3);
});

test('FILE-36: what has arrived before the connection broke is there, and the upload continues after it', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { begin, patch, offset, file } = tus(world, alice);
  const bytes = random(300_000);
  const path = await begin(bytes.length);
  const connection = new RawConnection(world.url);
  connection.write(
    Buffer.concat([
      Buffer.from(
        `PATCH ${path} HTTP/1.1\r\n${ALICE}tus-resumable: 1.0.0\r\nupload-offset: 0\r\n` +
          `content-type: application/offset+octet-stream\r\ncontent-length: ${bytes.length}\r\n\r\n`,
      ),
      bytes.subarray(0, 200_000),
    ]),
  );
  while (world.sum(({ files }) => files.slots.count) === 0) await turnOfLoop();
  // The client asks although the service does not know yet that its connection is dead.
  const known = await offset(path);
  expect(known).toBeGreaterThanOrEqual(0);
  expect(known).toBeLessThanOrEqual(200_000);
  connection.end();
  expect((await patch(path, Number(known), bytes.subarray(Number(known)))).status).toBe(204);
  const made = await file(path);
  expect(sum(new Uint8Array(await (await get(world, made.url)).arrayBuffer()))).toBe(sum(bytes));
  await world.settle();
  expect(incomingNames(world)).toEqual([]);
});

test('FILE-36: an upload continues after a restart of the service', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const bytes = random(9 * MIB);
  const path = await tus(world, alice).begin(bytes.length);
  await tus(world, alice).patch(path, 0, bytes.subarray(0, 8 * MIB + 5));
  await world.restart();
  const { offset, patch, file } = tus(world, alice);
  expect(await offset(path)).toBe(8 * MIB + 5);
  expect((await patch(path, 8 * MIB + 5, bytes.subarray(8 * MIB + 5))).status).toBe(204);
  const made = await file(path);
  expect(sum(new Uint8Array(await (await get(world, made.url)).arrayBuffer()))).toBe(sum(bytes));
});

test(
  'FILE-36: an upload continues on another node, and all nodes together make one file',
  { ...needs('postgres', 'redis'), tags: ['program', 'long'] },
  async () => {
    await using world = await createWorld({ nodes: 2 });
    const alice = await world.person('alice');
    const bytes = random(MIB);
    const { begin, patch, file } = tus(world, alice);
    const path = await begin(bytes.length);
    // The balancer takes the nodes in turn.
    for (let at = 0; at < bytes.length; at += MIB / 4)
      expect((await patch(path, at, bytes.subarray(at, at + MIB / 4))).status).toBe(204);
    const made = await Promise.all([file(path), file(path), file(path)]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(sum(new Uint8Array(await (await get(world, made[0].url)).arrayBuffer()))).toBe(sum(bytes));
    expect(await world.sql('SELECT 1 FROM files')).toHaveLength(1);
  },
);

test('FILE-37: another account’s upload is 404, like one that does not exist; without a token it is 401', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const path = await tus(world, alice).begin(3);
  for (const [where, actor] of [
    [path, bob],
    [`/api/uploads/${unknownId}`, alice],
    ['/api/uploads/nothing', alice],
  ] as const) {
    const { ask, patch } = tus(world, actor);
    for (const method of ['HEAD', 'GET', 'DELETE']) expect((await ask(method, where)).status).toBe(404);
    expect((await patch(where, 0, 'abc')).status).toBe(404);
  }
  for (const method of ['HEAD', 'GET', 'DELETE', 'PATCH', 'POST'])
    expect((await fetch(`${world.url}${path}`, { method, headers: { 'tus-resumable': '1.0.0' } })).status).toBe(401);
  expect(await tus(world, alice).offset(path)).toBe(0);
});

test('FILE-34: unfinished uploads of a person and its bots are limited, and count as if they were stored', async () => {
  await using world = await createWorld({
    env: { MAX_STORED_BYTES: '100000' },
    settings: { openUploads: 3, unusedFileBytes: 1_000_000 },
  });
  const { alice } = await world.people('alice');
  const { create, begin, ask } = tus(world, alice);
  const first = await begin(60_000);
  expect(await create(60_000)).toMatchObject({ status: 413, body: { error_code: 'too_large' } });
  await begin(10);
  await begin(10);
  expect(await create(10)).toMatchObject({ status: 429, body: { parameters: { retry_after: 60 } } });
  expect((await ask('DELETE', first)).status).toBe(204);
  expect((await ask('HEAD', first)).status).toBe(404);
  await begin(60_000);
});

test('FILE-34: many unfinished uploads at once do not pass the limit', async () => {
  await using world = await createWorld({ settings: { openUploads: 3 } });
  const { alice } = await world.people('alice');
  const { create } = tus(world, alice);
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(10)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 201, 201, 429, 429, 429, 429, 429,
  ]);
});

test('FILE-38: an upload that is ended, or not finished within a day, leaves nothing', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, settings: { unusedFileMs: 600_000 } });
  const { alice } = await world.people('alice');
  const { begin, patch, ask } = tus(world, alice);
  const [ended, old] = [await begin(10), await begin(10)];
  for (const path of [ended, old]) await patch(path, 0, 'abc');
  expect((await storedNames(world)).length).toBe(2);
  const { headers } = await ask('HEAD', old);
  expect(new Date(headers.get('upload-expires') ?? '').getTime()).toBeGreaterThan(clock.now());
  expect((await ask('DELETE', ended)).status).toBe(204);
  await world.settle();
  expect((await storedNames(world)).length).toBe(1);
  await clock.advance(600_000);
  expect((await ask('HEAD', old)).status).toBe(404);
  expect((await patch(old, 3, 'd')).status).toBe(404);
  for (let minutes = 0; minutes < 2; minutes += 1) {
    await clock.advance(61_000);
    await world.settle();
  }
  expect(await storedNames(world)).toEqual([]);
  expect(await world.sql('SELECT 1 FROM open_uploads')).toEqual([]);
});

test('FILE-38: an upload without bytes becomes an empty file', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { begin, file } = tus(world, alice);
  expect(await file(await begin(0, 'empty.txt'))).toMatchObject({ size: 0, name: 'empty.txt' });
});

test('FILE-34: below MIN_FREE_BYTES an upload is 503 before a byte is sent', async () => {
  await using world = await createWorld({ env: { MIN_FREE_BYTES: String(2 ** 49) } });
  const { alice } = await world.people('alice');
  expect(await tus(world, alice).create(10)).toMatchObject({ status: 503, body: { error_code: 'unavailable' } });
});

/** A clock whose timers run at once. */
const hasty: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback) {
    queueMicrotask(callback);
    return { cancel: () => {} };
  },
};

test('SDK-50: uploadFile continues after each cut of the connection, and sends little of the file twice', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const bytes = random(20 * MIB);
  let sent = 0;
  const cuts = [3 * MIB, 9 * MIB, 12 * MIB];
  const progress: number[] = [];
  const made = await uploadFile({
    url: world.url,
    token: alice.token,
    file: new File([bytes], 'large ä.bin'),
    clock: hasty,
    onProgress: (at) => void progress.push(at),
    async send({ method, url, headers, body }) {
      const offset = Number(headers['upload-offset'] ?? 0);
      const cut = method === 'PATCH' && body ? cuts.find((at) => at >= offset && at < offset + body.size) : undefined;
      if (cut === undefined || !body) {
        sent += body?.size ?? 0;
        const response = await fetch(url, { method, headers, ...(body && { body }) });
        return {
          status: response.status,
          header: (name) => response.headers.get(name),
          text: await response.text(),
        };
      }
      // The connection breaks after a part of the body.
      cuts.splice(cuts.indexOf(cut), 1);
      const part = new Uint8Array(await body.slice(0, cut - offset).arrayBuffer());
      sent += part.length;
      const head = Object.entries({ host: 'localhost', ...headers, 'content-length': String(body.size) })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      const connection = new RawConnection(world.url);
      connection.write(Buffer.concat([Buffer.from(`PATCH ${new URL(url).pathname} HTTP/1.1\r\n${head}\r\n`), part]));
      connection.end();
      throw new TypeError('cut');
    },
  });
  expect(made).toMatchObject({ name: 'large ä.bin', size: bytes.length });
  expect(sum(new Uint8Array(await (await get(world, made.url)).arrayBuffer()))).toBe(sum(bytes));
  expect(cuts).toEqual([]);
  expect(sent).toBeLessThan(bytes.length * 1.5);
  expect(progress).toEqual([...progress].toSorted((one, other) => one - other));
});

test('SDK-50: an upload that is aborted is removed from the service; a refused one is not tried again', async () => {
  await using world = await createWorld({ env: { MAX_FILE_BYTES: '1000' } });
  const { alice } = await world.people('alice');
  const abort = new AbortController();
  const file = new File([random(1_000)], 'a');
  const upload = uploadFile({
    url: world.url,
    token: alice.token,
    file,
    signal: abort.signal,
    onProgress: () => abort.abort(new Error('no more')),
  });
  await expect(upload).rejects.toThrow('no more');
  await expect.poll(() => world.sql('SELECT 1 FROM open_uploads')).toEqual([]);
  const large = uploadFile({ url: world.url, token: alice.token, file: new File([random(1_001)], 'b'), clock: hasty });
  await expect(large).rejects.toMatchObject({ status: 413, code: 'too_large' });
});
