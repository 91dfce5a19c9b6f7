import { docx, paragraphs } from '@parley/testing/files/office-files.ts';
import { pdf } from '@parley/testing/files/pdfs.ts';
import { createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { FileReader } from '../../files/file-reader.ts';
import { LIBRARY_BYTES } from '../../library/source-units.ts';
import { photo, upload } from '../helpers/file-stage.ts';
import { addFile, libraryScene, quietWorld, readSources, searched, sourceOf, sourcesOf } from './library-stage.ts';

afterEach(() => vi.restoreAllMocks());

test('KNOW-3: files without words, locked, damaged and of other kinds say why they failed', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { library } = await libraryScene(world);
  const failure = async (content: string | Uint8Array<ArrayBuffer>, name: string) => {
    const { state, failure: why } = await addFile(world, library, content, { name });
    return [state, why];
  };
  expect(await failure('!!! ---', 'signs.txt')).toEqual(['failed', 'no_text']);
  expect(await failure(Buffer.from([1, 2, 3, 0, 255]), 'binary.dat')).toEqual(['failed', 'no_text']);
  expect(await failure(await photo('png'), 'scan.png')).toEqual(['failed', 'no_text']);
  expect(await failure(pdf({ isLocked: true }), 'locked.pdf')).toEqual(['failed', 'locked']);
  expect(await failure(Buffer.from('%PDF-1.7 nothing else'), 'damaged.pdf')).toEqual(['failed', 'damaged']);
  const found = await failure(docx(paragraphs('words')), 'words.docx');
  expect(found).toEqual(['ready', undefined]);
});

test('KNOW-3: a page is read once, with its title and headings, and again when the owner asks', async () => {
  await using stage = await quietWorld();
  const { world, pages } = stage;
  const scene = await libraryScene(world);
  const { username } = scene.library;
  const answer = (body: string, status = 200, type = 'text/html; charset=utf-8'): void => {
    pages.answer = (_, response) => response.writeHead(status, { 'content-type': type }).end(body);
  };
  answer(
    '<!doctype html><title>The  handbook</title><script>var canary</script><nav>canary</nav><h1>Work</h1><h2>Leave &amp; rest</h2><p>Holidays<br>are long.<template>canary</template>',
  );
  const { id } = await scene.ann.api.addAgentSource({ username, url: `${pages.origin}/handbook` });
  await readSources(world);
  await readSources(world);
  expect(pages.asked).toEqual(['/handbook']);
  expect(await sourceOf(scene.ann, username, id)).toMatchObject({ title: 'The handbook', state: 'ready' });
  const [found] = (await searched(scene, 'holidays')).passages;
  expect(found).toMatchObject({ heading: 'Work › Leave & rest', text: 'Holidays\nare long.' });
  expect((await searched(scene, 'canary')).passages).toEqual([]);
  answer('<title>Another title</title><p>Holidays are short now.');
  await scene.ann.api.setAgentSource({ source_id: id, title: 'Mine' });
  await scene.ann.api.readAgentSource({ source_id: id });
  await readSources(world);
  expect(await sourceOf(scene.ann, username, id)).toMatchObject({ title: 'Mine', state: 'ready' });
  expect((await searched(scene, 'holidays')).passages.map(({ text }) => text)).toEqual(['Holidays are short now.']);
  expect(pages.asked).toHaveLength(2);
});

test('KNOW-3: pages that are none, redirect to private addresses or never end fail, and nothing private is asked', async () => {
  await using stage = await quietWorld();
  const { world, pages } = stage;
  const { ann, library } = await libraryScene(world);
  const { username } = library;
  const other = await quietWorld();
  pages.answer = ({ url = '' }, response) => {
    if (url === '/away') return response.writeHead(302, { location: `${other.pages.origin}/secret` }).end();
    if (url === '/round') return response.writeHead(302, { location: '/round' }).end();
    if (url === '/image') return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    if (url === '/packed')
      return response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('x');
    if (url === '/huge')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('word '.repeat(1024 * 1024));
    return response.writeHead(404, { 'content-type': 'text/html' }).end('<p>words');
  };
  for (const path of ['/away', '/round', '/image', '/packed', '/huge', '/missing'])
    await ann.api.addAgentSource({ username, url: `${pages.origin}${path}` });
  await ann.api.addAgentSource({ username, url: 'http://169.254.169.254/latest' });
  await readSources(world);
  expect((await sourcesOf(ann, username)).map(({ failure }) => failure)).toEqual([
    'not_allowed',
    'unreachable',
    'not_a_page',
    'not_a_page',
    'too_large',
    'unreachable',
    'not_allowed',
  ]);
  expect(other.pages.asked).toEqual([]);
  await other[Symbol.asyncDispose]();
});

test('KNOW-3: of a long text the beginning is kept, and `cut` says so', { tags: ['long'] }, async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { library } = await libraryScene(world);
  const source = await addFile(world, library, 'word '.repeat(110_000), { name: 'long.txt' });
  expect(source).toMatchObject({ state: 'ready', cut: true });
  const [row] = await world.sql<{ passages: string }>('SELECT passages FROM agent_source_texts');
  const passages = JSON.parse(row?.passages ?? '[]') as { text: string }[];
  for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(1_200);
  expect(passages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(500_000);
});

test('KNOW-3, LIMIT-22: texts count to what their owner stores, and one without room is not stored', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library } = await libraryScene(world);
  const { username } = library;
  const [{ bytes: before } = { bytes: 0 }] = await world.sql<{ bytes: number }>('SELECT bytes FROM stored_bytes');
  const source = await addFile(world, library, 'some words', { name: 'a.txt' });
  const [{ bytes: after } = { bytes: 0 }] = await world.sql<{ bytes: number }>('SELECT bytes FROM stored_bytes');
  expect(after - before).toBe(10 + 4_096 + (source.bytes ?? 0));
  await world.sql(`UPDATE agent_sources SET bytes = ${LIBRARY_BYTES}`);
  await world.sql(`UPDATE stored_bytes SET bytes = bytes + ${LIBRARY_BYTES - (source.bytes ?? 0)}`);
  const full = await addFile(world, library, 'other words', { name: 'b.txt' });
  expect(full).toMatchObject({ state: 'failed', failure: 'library_full', bytes: 0 });
  await ann.api.removeAgentSource({ source_id: source.id });
  await ann.api.readAgentSource({ source_id: full.id });
  await readSources(world);
  expect(await sourceOf(ann, username, full.id)).toMatchObject({ state: 'ready' });
});

/** Kills the service while it reads a source. */
async function diesReading(world: World): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  const read = vi.spyOn(FileReader.prototype, 'read').mockImplementation(() => {
    begun.resolve();
    return ended.promise;
  });
  const tending = world.service.library.tend().catch(() => {});
  await begun.promise;
  read.mockRestore();
  const crash = world.crash();
  ended.reject(new Error('killed'));
  await Promise.all([crash, tending]);
}

async function claimsElapse(world: World): Promise<void> {
  await world.sql('UPDATE agent_sources SET claimed_until = 0');
  await turnOfLoop();
}

test('KNOW-3: a source whose reading a kill interrupts is read after the restart, three times at most', async () => {
  await using world = await createWorld({ clock: new ManualClock() });
  const { ann, library } = await libraryScene(world);
  const { username } = library;
  const file = await upload(ann, 'a needle', 'a.txt');
  const { id } = await ann.api.addAgentSource({ username, file_id: file.id });
  await diesReading(world);
  expect(await sourceOf(ann, username, id)).toMatchObject({ state: 'reading' });
  // The claim of the killed process protects the source for two minutes.
  await world.service.library.tend();
  expect(await sourceOf(ann, username, id)).toMatchObject({ state: 'reading' });
  await claimsElapse(world);
  await readSources(world);
  expect(await sourceOf(ann, username, id)).toMatchObject({ state: 'ready' });
  await ann.api.readAgentSource({ source_id: id });
  for (let tries = 1; tries <= 3; tries += 1) {
    await diesReading(world);
    await claimsElapse(world);
  }
  const read = vi.spyOn(FileReader.prototype, 'read');
  await readSources(world);
  expect(read).not.toHaveBeenCalled();
  expect(await sourceOf(ann, username, id)).toMatchObject({ state: 'ready', failure: 'damaged' });
});

test('KNOW-3, KNOW-6: what was read of a source that was removed, or is to be read again, meanwhile is not stored', async () => {
  await using world = await createWorld({ clock: new ManualClock() });
  const { ann, library } = await libraryScene(world);
  const { username } = library;
  const texts = async () =>
    (await world.sql<{ passages: string }>('SELECT passages FROM agent_source_texts')).map(({ passages }) => passages);
  const file = await upload(ann, 'a new needle', 'a.txt');
  const { id: source_id } = await ann.api.addAgentSource({ username, file_id: file.id });
  const readingWhile = (happens: () => Promise<unknown>) =>
    vi.spyOn(FileReader.prototype, 'read').mockImplementationOnce(async () => {
      await happens();
      return { type: 'text', text: 'an old needle', isWhole: true };
    });
  const stopped = new AbortController();
  readingWhile(async () => {
    await ann.api.readAgentSource({ source_id });
    stopped.abort();
  });
  await world.service.library.tend(() => stopped.signal.aborted);
  expect([await texts(), (await sourceOf(ann, username, source_id)).state]).toEqual([[], 'reading']);
  await readSources(world);
  expect(await texts()).toEqual([JSON.stringify([{ text: 'a new needle' }])]);
  await ann.api.readAgentSource({ source_id });
  readingWhile(async () => ann.api.removeAgentSource({ source_id }));
  await world.service.library.tend();
  expect([await sourcesOf(ann, username), await texts()]).toEqual([[], []]);
});

test('KNOW-3: owners take turns', async () => {
  await using stage = await quietWorld();
  const { world } = stage;
  const { ann, library } = await libraryScene(world);
  const bob = await world.person('bob');
  for (const name of ['1.txt', '2.txt', '3.txt']) {
    const { id: file_id } = await upload(ann, name, name);
    await ann.api.addAgentSource({ username: library.username, file_id });
  }
  const { id: file_id } = await upload(bob, 'of bob', 'bob.txt');
  await bob.api.addAgentSource({ username: 'bob:provider_a', file_id });
  const read: string[] = [];
  vi.spyOn(FileReader.prototype, 'read').mockImplementation(async ({ name }) => {
    read.push(name);
    return { type: 'text', text: name, isWhole: true };
  });
  await readSources(world);
  expect(read.indexOf('bob.txt')).toBeLessThan(2);
  expect(read).toHaveLength(4);
});
