import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld, ManualClock } from '@parley/testing';
import { expect, test, vi } from 'vitest';
import { get, incomingNames, photo, statusFor, storedNames, upload } from '../helpers/file-stage.ts';

test('FILE-11: deleting a message deletes its files, except those that another message holds', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const [one, both] = [await upload(alice, await photo('png'), 'one.png'), await upload(alice, 'both')];
  const first = await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: one.id }, { id: both.id }] });
  // A file twice in the same message counts once.
  const second = await bob.api.sendMessage({ chat_id, text: '', attachments: [{ id: both.id }, { id: both.id }] });
  const seen = () => Promise.all([one, both].map((file) => statusFor(world, alice, file)));
  expect(await seen()).toEqual([200, 200]);
  await alice.api.deleteMessages({ message_ids: [first.id] });
  expect(await seen()).toEqual([404, 200]);
  await world.settle();
  expect(await storedNames(world)).toEqual([both.id]);
  expect((await get(world, one.thumbnail_url)).status).toBe(404);
  await bob.api.deleteMessages({ message_ids: [second.id] });
  expect(await seen()).toEqual([404, 404]);
  await world.settle();
  expect(await storedNames(world)).toEqual([]);
});

test('FILE-11: all files of a deleted channel are removed', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const { id: chat_id } = await world.group(alice);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'c' });
  for (const text of ['a', 'b', 'c']) {
    const file = await upload(alice, text);
    await alice.api.sendMessage({ chat_id, channel_id, text, attachments: [{ id: file.id }] });
  }
  const kept = await upload(alice, 'kept');
  await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: kept.id }] });
  await alice.api.deleteChannel({ chat_id, channel_id });
  await world.settle();
  expect(await storedNames(world)).toEqual([kept.id]);
});

test('FILE-13: an unsent file is deleted after 24 hours, and not before', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, settings: { unusedFileMs: 600_000 } });
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const [lost, sent] = [await upload(alice, await photo('png'), 'lost.png'), await upload(alice, 'sent')];
  await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: sent.id }] });
  await clock.advance(599_000);
  await world.settle();
  expect(await statusFor(world, alice, lost)).toBe(200);
  await clock.advance(62_000);
  await world.settle();
  await clock.advance(61_000);
  await world.settle();
  expect(await Promise.all([lost, sent].map((file) => statusFor(world, alice, file)))).toEqual([404, 200]);
  expect(await storedNames(world)).toEqual([sent.id]);
});

test('FILE-12: bytes are removed even after a crash between the commit and the removal', async () => {
  await using world = await createWorld({ expectsErrors: true });
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const file = await upload(alice, await photo('png'), 'a.png');
  const { id } = await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: file.id }] });
  // The disk fails to remove files.
  const storages = world.services.map(({ files }) => files.storage);
  for (const storage of storages)
    vi.spyOn(storage, 'remove').mockImplementation(() => Promise.reject(new Error('the disk is unavailable')));
  await alice.api.deleteMessages({ message_ids: [id] });
  await world.settle();
  expect(await storedNames(world)).toHaveLength(2);
  expect(await statusFor(world, alice, file)).toBe(404);
  for (const storage of storages) vi.mocked(storage).remove.mockRestore();
  await world.crash();
  await world.settle();
  expect(await storedNames(world)).toEqual([]);
});

test('FILE-12: bytes whose row was never written are removed a day later, also after a crash', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, expectsErrors: true });
  const alice = await world.person('alice');
  for (const { units } of world.services) {
    const run = units.run.bind(units);
    units.run = (name, ...rest) =>
      name === 'storeFile' ? Promise.reject(new Error('the store is unavailable')) : run(name, ...rest);
  }
  await expect(upload(alice, await photo('png'), 'a.png')).rejects.toMatchObject({ code: 'unavailable' });
  expect(await storedNames(world)).toHaveLength(2);
  writeFileSync(join(world.dataDir, 'files', 'incoming', 'half'), 'made');
  await world.crash();
  expect(incomingNames(world)).toEqual([]);
  expect(await storedNames(world)).toHaveLength(2);
  await clock.advance(86_400_000 + 61_000);
  await world.settle();
  expect(await storedNames(world)).toEqual([]);
});

test('FILE-2: if the disk accepts no writes, an upload is 503, and stored files stay', async () => {
  await using world = await createWorld({ expectsErrors: true });
  const alice = await world.person('alice');
  const kept = await upload(alice, 'kept');
  const storages = world.services.map(({ files }) => files.storage);
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  for (const storage of storages) vi.spyOn(storage, 'keep').mockImplementation(() => Promise.reject(full));
  await expect(upload(alice, 'more')).rejects.toMatchObject({ code: 'unavailable' });
  for (const storage of storages) vi.mocked(storage).keep.mockRestore();
  // The folder for incoming files is missing.
  const folders = world.dataDirs.map((folder) => join(folder, 'files', 'incoming'));
  for (const folder of folders) renameSync(folder, `${folder}-away`);
  await expect(upload(alice, 'more')).rejects.toMatchObject({ code: 'unavailable' });
  for (const folder of folders) renameSync(`${folder}-away`, folder);
  expect(incomingNames(world)).toEqual([]);
  expect(await storedNames(world)).toEqual([kept.id]);
  expect(await statusFor(world, alice, kept)).toBe(200);
  await upload(alice, 'more');
});

test('FILE-11, ADMIN-11: no row names a missing file', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const files = await Promise.all(Array.from({ length: 4 }, (_, at) => upload(alice, `file ${at}`)));
  const send = async (at: number) =>
    (await alice.api.sendMessage({ chat_id, text: '', attachments: files.slice(at).map(({ id }) => ({ id })) })).id;
  const ids = [await send(0), await send(1), await send(2)];
  await alice.api.deleteMessages({ message_ids: ids.slice(1) });
  const { read } = world.service;
  const wrong = await read.all({
    sql: 'SELECT key FROM files f WHERE uses <> (SELECT count(*) FROM message_files u WHERE u.file_key = f.key)',
  });
  expect(wrong).toEqual([]);
  expect(await read.all({ sql: 'SELECT * FROM message_files' })).toHaveLength(4);
  await alice.api.deleteMessages({ message_ids: ids });
  await world.settle();
  for (const table of ['files', 'message_files', 'files_to_remove'])
    expect(await read.all({ sql: `SELECT * FROM ${table}` })).toEqual([]);
});
