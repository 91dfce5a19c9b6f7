import { expect, test } from 'vitest';
import { get, statusFor, upload } from '../helpers/file-stage.ts';
import { addFile, libraryScene, quietWorld, readSources, sourcesOf, storedCounts } from './library-stage.ts';

const password = 'correct horse battery staple';
const nothing = { sources: 0, texts: 0 };

test('KNOW-9: removing a source deletes its text and its file, unless something else holds the file', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library, chat } = await libraryScene(world);
  const { username } = library;
  const lone = await addFile(world, library, 'a lone canary', { name: 'a.txt' });
  await ann.api.removeAgentSource({ source_id: lone.id });
  expect(await storedCounts(world)).toEqual(nothing);
  expect(await statusFor(world, ann, lone.file ?? {})).toBe(404);
  const sent = await upload(ann, 'a sent canary', 'b.txt');
  await ann.api.sendMessage({ chat_id: chat.id, text: '', attachments: [{ id: sent.id }] });
  const { id } = await ann.api.addAgentSource({ username, file_id: sent.id });
  await readSources(world);
  await ann.api.removeAgentSource({ source_id: id });
  expect(await statusFor(world, ann, sent)).toBe(200);
});

test('KNOW-9: a file that a library holds outlives its message, and the time of files that were never sent', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library, chat } = await libraryScene(world);
  const { username } = library;
  const file = await upload(ann, 'a canary', 'a.txt');
  const message = await ann.api.sendMessage({ chat_id: chat.id, text: '', attachments: [{ id: file.id }] });
  await ann.api.addAgentSource({ username, file_id: file.id });
  await readSources(world);
  await ann.api.deleteMessages({ message_ids: [message.id] });
  await world.sql('UPDATE files SET created_at = 0');
  await world.service.files.tend();
  expect(await statusFor(world, ann, file)).toBe(200);
  expect((await sourcesOf(ann, username)).map(({ state }) => state)).toEqual(['ready']);
});

test('KNOW-9: a library goes with its agent, and with the account of its owner', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const bob = await world.member('bob');
  const { ann } = await libraryScene(world);
  for (const [owner, provider] of [
    [ann, 'provider_a'],
    [bob, 'provider_a'],
  ] as const) {
    const made = await owner.api.createAgent({ slug: 'tutor', display_name: 'Tutor', provider });
    await addFile(world, { owner, username: made.username }, 'a canary', { open: true });
  }
  const files = await world.sql<{ id: Uint8Array }>('SELECT id FROM files');
  expect(files).toHaveLength(2);
  await ann.api.deleteAgent({ username: 'ann:tutor' });
  expect(await storedCounts(world)).toEqual({ sources: 1, texts: 1 });
  await bob.api.deleteAccount({ password });
  expect(await storedCounts(world)).toEqual(nothing);
  expect(await world.sql('SELECT id FROM files')).toEqual([]);
});

test('KNOW-10, EXPORT-2: an export has the libraries of the account’s agents with their texts, no others’', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const bob = await world.person('bob');
  const { ann, library } = await libraryScene(world, { others: [bob] });
  const source = await addFile(world, library, '# Leave\n\nA canary.', { open: true });
  const exported = async (person = ann) => {
    const { url } = await person.api.exportMyData();
    return (JSON.parse(await (await get(world, url)).text()) as { library: unknown }).library;
  };
  expect(await exported(bob)).toEqual([]);
  expect(await exported()).toEqual([
    expect.objectContaining({
      agent: library.username,
      id: source.id,
      title: 'Handbook.md',
      file_id: source.file?.id,
      passages: [{ heading: 'Leave', text: 'A canary.' }],
    }),
  ]);
});
