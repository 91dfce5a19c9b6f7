import { createWorld, ManualClock, unknownId } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { bare, get, incomingNames, photo, statusFor, storedNames, upload } from '../helpers/file-stage.ts';

test('FILE-1, FILE-5: a file is uploaded, sent by its id, and readable for those who got the message', async () => {
  await using world = await createWorld();
  const { alice, bob, eve } = await world.people('alice', 'bob', 'eve');
  const { id: chat_id } = await world.group(alice, bob);
  const socket = await bob.socket();
  const file = await upload(alice, 'hello there', 'notes.txt');
  expect(file).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: 'file',
    name: 'notes.txt',
    mime_type: 'text/plain',
    size: 11,
    url: expect.stringMatching(/^\/files\/[0-9a-f-]{36}\?a=\w+&e=\d+&s=[\w-]{22}$/),
  });
  const sent = await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: file.id }] });
  expect(sent.attachments).toEqual([file]);
  const { attachments } = await socket.event('messageNew');
  const [got] = attachments;
  expect(bare(got?.url)).toBe(`/files/${file.id}`);
  // Each reader gets its own address, in events and in history.
  expect(got?.url).not.toBe(file.url);
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items[0]?.attachments).toEqual([got]);
  const { frames } = await bob.api.getUpdates({ since: 0 });
  expect(JSON.stringify(frames)).toContain(JSON.stringify(got?.url));
  expect((await bob.api.getChats()).items[0]?.last_message?.attachments).toEqual([got]);
  for (const url of [file.url, got?.url]) {
    const response = await get(world, url);
    expect([response.status, await response.text()]).toEqual([200, 'hello there']);
  }
  expect(await Promise.all([alice, bob, eve].map((one) => statusFor(world, one, file)))).toEqual([200, 200, 404]);
});

test('FILE-6: an attachment with an id takes everything else from the file; an unknown or invisible id is 404', async () => {
  await using world = await createWorld();
  const { alice, bob, eve } = await world.people('alice', 'bob', 'eve');
  const { id: chat_id } = await world.group(alice, bob, eve);
  const { id } = await upload(alice, 'mine', 'mine.txt');
  const lie = {
    id,
    kind: 'photo',
    name: 'x.exe',
    url: 'https://evil.example',
    size: 1,
    mime_type: 'text/html',
  } as const;
  const { attachments } = await alice.api.sendMessage({ chat_id, text: 'a', attachments: [{ ...lie, title: 't' }] });
  expect(attachments).toEqual([
    {
      id,
      kind: 'file',
      name: 'mine.txt',
      mime_type: 'text/plain',
      size: 4,
      url: expect.stringContaining(`/files/${id}?`),
    },
  ]);
  const other = await world.direct(bob, alice);
  const hidden = await upload(alice, 'hidden');
  for (const wrong of [unknownId, hidden.id])
    expect(await failure(bob.api.sendMessage({ chat_id, text: '', attachments: [{ id: wrong }] }))).toMatchObject({
      status: 404,
      description: 'not found: file',
    });
  // A recipient may send the file on.
  await bob.api.sendMessage({ chat_id: other.id, text: '', attachments: [{ id }] });
  const own = [{ kind: 'news' as const, url: 'https://news.example/1', title: 'News' }];
  expect((await bob.api.sendMessage({ chat_id, text: '', attachments: own })).attachments).toEqual(own);
  const none = alice.api.sendMessage({ chat_id, text: '', attachments: [{ name: 'x' }] });
  expect(await failure(none)).toMatchObject({ code: 'invalid_argument', parameters: { field: 'attachments.0.kind' } });
});

test('FILE-6: 1,000 messages can hold a file, also if more are sent at once', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const { alice, ...others } = await world.people('alice', 'bob', 'cleo', 'dora', 'eve', 'finn');
  const people = [alice, ...Object.values(others)];
  const { id: chat_id } = await world.group(alice, ...Object.values(others));
  const { id } = await upload(alice, 'popular');
  await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id }] });
  let sent = 1;
  for (let round = 0; round < 17; round += 1) {
    const all = people.flatMap(({ api }) => Array.from({ length: 10 }, () => api));
    const answers = await Promise.allSettled(
      all.map((api) => api.sendMessage({ chat_id, text: '', attachments: [{ id }] })),
    );
    for (const one of answers)
      if (one.status === 'fulfilled') sent += 1;
      else expect(one.reason).toMatchObject({ code: 'invalid_argument', parameters: { field: 'attachments' } });
  }
  expect(sent).toBe(1_000);
});

test('FILE-6, MSG-3: a retry is recognized by what was sent, even if the file was deleted since', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const { id } = await upload(alice, 'x');
  const message = { chat_id, text: '', attachments: [{ id }], client_msg_id: 'once' };
  const first = await alice.api.sendMessage(message);
  expect((await alice.api.sendMessage(message)).id).toBe(first.id);
  const other = { ...message, attachments: [{ id, name: 'other' }] };
  expect(await failure(alice.api.sendMessage(other))).toMatchObject({ code: 'conflict' });
  await alice.api.deleteMessages({ message_ids: [first.id] });
  expect(await alice.api.sendMessage(message)).toMatchObject({ id: first.id, attachments: [] });
});

test('FILE-6: a bot uploads a file and finishes its stream with it', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.direct(alice, bot);
  const { id } = await upload(bot, await photo('png'), 'chart.png');
  const theirs = await upload(alice, 'private');
  const { id: message_id } = await bot.api.startMessageStream({ chat_id });
  const refused = bot.api.finishMessageStream({ message_id, text: 'x', attachments: [{ id: theirs.id }] });
  expect(await failure(refused)).toMatchObject({ status: 404, description: 'not found: file' });
  const socket = await alice.socket();
  await bot.api.finishMessageStream({ message_id, text: 'here', attachments: [{ id }] });
  const { attachments } = await socket.event('messageComplete');
  expect(attachments).toMatchObject([{ id, kind: 'photo', name: 'chart.png' }]);
  expect((await get(world, attachments[0]?.thumbnail_url)).status).toBe(200);
});

test('FILE-7: photos are detected by their content, and have their displayed size and a thumbnail', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  for (const format of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const) {
    // The name and the type do not matter.
    const file = await alice.api.uploadFile({
      file: new File([await photo(format, { width: 1_000, height: 600 })], 'x.txt', { type: 'text/html' }),
    });
    expect(file).toMatchObject({ kind: 'photo', mime_type: `image/${format}`, width: 1_000, height: 600 });
    const [whole, small] = [await get(world, file.url), await get(world, file.thumbnail_url)];
    expect(whole.headers.get('content-type')).toBe(`image/${format}`);
    expect(small.headers.get('content-type')).toBe('image/webp');
    const bytes = Buffer.from(await small.arrayBuffer());
    expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WEBP']);
    await whole.arrayBuffer();
  }
  // Taken with the camera held upright.
  const turned = await upload(alice, await photo('jpeg', { width: 300, height: 200, orientation: 6 }), 'turned.jpg');
  expect(turned).toMatchObject({ kind: 'photo', width: 200, height: 300 });
  expect(await storedNames(world)).toHaveLength(12);
});

test(
  'FILE-5: a reader’s addresses stay the same within a minute, and are valid for 10 minutes',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, bob);
    const file = await upload(alice, 'x');
    await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: file.id }] });
    const urlFor = async () => (await bob.api.getChatHistory({ chat_id })).items[0]?.attachments[0]?.url ?? '';
    const first = await urlFor();
    await clock.advance(59_000);
    expect(await urlFor()).toBe(first);
    await clock.advance(1_000);
    const second = await urlFor();
    expect(second).not.toBe(first);
    await clock.advance(539_000);
    expect((await get(world, first)).status).toBe(200);
    await clock.advance(1_000);
    expect((await get(world, first)).status).toBe(403);
    expect((await get(world, second)).status).toBe(200);
    // No part of an address can be changed.
    const fresh = await urlFor();
    const other = await upload(bob, 'other');
    const [a, e] = [/a=\w+/, /e=\d+/];
    for (const forged of [
      fresh.replace(a, 'a=1'),
      fresh.replace(e, 'e=99999999999'),
      fresh.replace(/s=.{4}/, 's=AAAA'),
      fresh.replace(/&s=.*/, '&s='),
      fresh.replace(/&e=\d+/, ''),
      fresh.replace(e, 'e=1&e=2'),
      fresh.replace(/[0-9a-f-]{36}/, other.id),
    ])
      expect([forged, (await get(world, forged)).status]).toEqual([forged, 403]);
    expect((await get(world, bare(fresh))).status).toBe(401);
    const missing = await get(world, `/files/${unknownId}`, { headers: { authorization: `Bearer ${bob.token}` } });
    expect([missing.status, await missing.json()]).toMatchObject([404, { description: 'not found: file' }]);
  },
);

test('FILE-16: a JPEG photo is delivered without its metadata, and its size is that of the delivered bytes', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const tagged = await sharp(await photo('jpeg', { width: 300, height: 200, orientation: 6 }))
    .keepMetadata()
    .withExifMerge({ IFD3: { GPSLatitude: '51/1 30/1 3230/100' }, IFD0: { Model: 'secret camera' } })
    .jpeg()
    .toBuffer();
  expect(tagged.includes('secret camera')).toBe(true);
  const file = await upload(alice, Buffer.from(tagged), 'a.jpg');
  expect(file).toMatchObject({ kind: 'photo', width: 200, height: 300 });
  const given = Buffer.from(await (await get(world, file.url)).arrayBuffer());
  expect(given.length).toBe(file.size);
  expect(given.includes('secret camera')).toBe(false);
  expect((await sharp(given).metadata()).orientation).toBe(6);
  expect(await sharp(given).raw().toBuffer()).toEqual(await sharp(tagged).raw().toBuffer());
  expect(incomingNames(world)).toEqual([]);
  // A file that cannot be decoded is delivered unchanged.
  const broken = await upload(alice, Buffer.from(tagged.subarray(0, -20)), 'b.jpg');
  expect(broken).toMatchObject({ kind: 'file', size: tagged.length - 20 });
  expect(incomingNames(world)).toEqual([]);
});
