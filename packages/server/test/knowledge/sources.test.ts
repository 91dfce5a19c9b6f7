import { limits } from '@parley/protocol';
import { Actor, checkReplay } from '@parley/testing';
import { expect, test } from 'vitest';
import { keyedAgent } from '../helpers/agents.ts';
import { upload } from '../helpers/file-stage.ts';
import { addFile, libraryScene, quietWorld, readSources, sourceOf, sourcesOf } from './library-stage.ts';

test('KNOW-1, KNOW-2, KNOW-6: the owner adds a file, names it, opens it and removes it', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library } = await libraryScene(world);
  const { username } = library;
  const ext = await ann.socket('ext');
  const file = await upload(ann, '# Leave\n\nTwenty days a year.', 'Handbook.md');
  const added = await ann.api.addAgentSource({ username, file_id: file.id });
  expect(added).toMatchObject({ title: 'Handbook.md', kind: 'file', open: false, state: 'reading', bytes: 0 });
  expect(added.file).toMatchObject({ id: file.id, name: 'Handbook.md' });
  expect(await ext.event('agentSourcesChanged')).toEqual({ agent_username: username });
  await readSources(world);
  const ready = await sourceOf(ann, username, added.id);
  expect(ready).toMatchObject({ state: 'ready', title: 'Handbook.md' });
  expect(ready.bytes).toBeGreaterThan(0);
  expect(ready.read_at).toBeDefined();
  const changed = await ann.api.setAgentSource({ source_id: added.id, title: 'Rules', open: true });
  expect(changed).toMatchObject({ title: 'Rules', open: true, state: 'ready' });
  await ann.api.removeAgentSource({ source_id: added.id });
  expect(await sourcesOf(ann, username)).toEqual([]);
  await expect(ann.api.removeAgentSource({ source_id: added.id })).rejects.toMatchObject({ status: 404 });
});

test('KNOW-2: what is no file of the owner, no page, or in the library already is refused', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library } = await libraryScene(world);
  const bob = await world.person('bob');
  const { username } = library;
  const url = `${stage.pages.origin}/a`;
  const file = await upload(ann, 'text', 'a.txt');
  const refused = (input: object) => ann.api.addAgentSource({ username, ...input });
  for (const input of [{}, { url, file_id: file.id }, { url: 'ftp://example.com' }, { url: 'x' }, { url, title: ' ' }])
    await expect(refused(input)).rejects.toMatchObject({ status: 400 });
  await expect(refused({ url, title: 'x'.repeat(257) })).rejects.toMatchObject({ status: 400 });
  const ofBob = await upload(bob, 'secret', 'b.txt');
  await expect(refused({ file_id: ofBob.id })).rejects.toMatchObject({ status: 404 });
  // Bob has sent it to ann, who sees it; it is still his.
  const { id: chat_id } = await world.group(bob, ann);
  await bob.api.sendMessage({ chat_id, text: '', attachments: [{ id: ofBob.id }] });
  await expect(refused({ file_id: ofBob.id })).rejects.toMatchObject({ status: 404 });
  const [one, other] = await Promise.allSettled([refused({ file_id: file.id }), refused({ file_id: file.id })]);
  expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  await refused({ url });
  await expect(refused({ url })).rejects.toMatchObject({ status: 409 });
  await expect(ann.api.addAgentSource({ username: 'parley:guide', url })).rejects.toMatchObject({ status: 403 });
  const bot = await world.bot(ann, 'bot');
  await expect(ann.api.addAgentSource({ username: bot.username, url })).rejects.toMatchObject({ status: 400 });
  await expect(bot.api.addAgentSource({ username, url })).rejects.toMatchObject({ status: 403 });
  await expect(bot.api.getAgentSources({ username })).rejects.toMatchObject({ status: 403 });
});

test('KNOW-2: a library has at most 200 sources, also if several are added at once', async () => {
  await using stage = await quietWorld({ RATE_LIMITS: '0' });
  const { world } = stage;
  const { ann, library } = await libraryScene(world);
  const { username } = library;
  const add = (n: number) => ann.api.addAgentSource({ username, url: `${stage.pages.origin}/${n}` });
  for (let n = 0; n < limits.sources - 1; n += 1) await add(n);
  const last = await Promise.allSettled([add(1_000), add(1_001), add(1_002)]);
  expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(add(2_000)).rejects.toMatchObject({ status: 409 });
  expect(await sourcesOf(ann, username)).toHaveLength(limits.sources);
});

test('KNOW-4, KNOW-6: others see names, and what is open; they change nothing', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { bob, dora } = await world.people('bob', 'dora');
  const { ann, library } = await libraryScene(world, { others: [bob] });
  const { username } = library;
  const closed = await addFile(world, library, 'a secret plan', { name: 'Plan.txt' });
  const open = await addFile(world, library, 'what all may read', { name: 'Rules.txt', open: true });
  const seen = await sourcesOf(bob, username);
  expect(seen).toEqual([
    { id: closed.id, title: 'Plan.txt', kind: 'file', open: false },
    { id: open.id, title: 'Rules.txt', kind: 'file', open: true, file: expect.objectContaining({ name: 'Rules.txt' }) },
  ]);
  await expect(dora.api.getAgentSources({ username })).rejects.toMatchObject({ status: 403 });
  for (const source_id of [closed.id, open.id]) {
    await expect(bob.api.setAgentSource({ source_id, open: true })).rejects.toMatchObject({ status: 404 });
    await expect(bob.api.readAgentSource({ source_id })).rejects.toMatchObject({ status: 404 });
    await expect(bob.api.removeAgentSource({ source_id })).rejects.toMatchObject({ status: 404 });
  }
  const url = `${stage.pages.origin}/b`;
  await expect(bob.api.addAgentSource({ username, url })).rejects.toMatchObject({ status: 403 });
  await ann.api.updateAgent({ username, visibility: 'public' });
  expect(await sourcesOf(dora, username)).toEqual(seen.map((one) => expect.objectContaining({ id: one.id })));
});

test('KNOW-6: an access token that manages may change a library, one of certain chats opens nothing', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library, chat } = await libraryScene(world);
  const { username } = library;
  await addFile(world, library, 'what all may read', { open: true });
  const token = async (input: object) => {
    const made = await ann.api.createAccessToken({ name: 'script', scopes: ['read', 'manage'], ...input });
    return new Actor(world, ann.username, made.token);
  };
  const whole = await token({});
  const added = await whole.api.addAgentSource({ username, url: `${stage.pages.origin}/c` });
  await whole.api.setAgentSource({ source_id: added.id, open: true });
  const limited = await token({ chat_ids: [chat.id] });
  for (const source of (await limited.api.getAgentSources({ username })).items)
    expect(Object.keys(source).toSorted()).toEqual(['id', 'kind', 'open', 'title']);
  await whole.api.removeAgentSource({ source_id: added.id });
});

test('KNOW-6: a client that was away loads the same library', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library } = await libraryScene(world);
  await checkReplay(world, [ann], async () => {
    await addFile(world, library, 'text');
  });
});

test('KNOW-1: an agent whose owner has several reads only its own library', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library } = await libraryScene(world);
  await addFile(world, library, 'a needle');
  const other = await keyedAgent(world, ann, 'provider_b');
  expect(await sourcesOf(ann, other.username)).toEqual([]);
  const { agents } = await ann.api.previewDispatch({
    chat_id: (await ann.api.startChat({ username: other.username })).id,
    text: 'hello',
  });
  expect(JSON.stringify(agents)).not.toContain('search_library');
});
