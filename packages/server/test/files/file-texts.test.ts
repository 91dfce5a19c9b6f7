import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { createWorld, ManualClock, type World } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { docx, lockedOffice, paragraphs } from '@parley/testing/files/office-files.ts';
import { pdf } from '@parley/testing/files/pdfs.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { FileReader } from '../../files/file-reader.ts';
import { photo, upload } from '../helpers/file-stage.ts';
import { scene } from '../helpers/message-stage.ts';
import { foundFiles, readFiles, rowsOfTexts, sendFile } from '../helpers/searched-files.ts';

afterEach(() => void vi.restoreAllMocks());

const textsIn = async (world: World) => (await rowsOfTexts(world)).map(({ text }) => text);

test(
  'FILE-28: a file is read once, after a message with it was sent; photos, sounds and archives are not read',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, bob, chat_id } = await scene(world);
    const read = vi.spyOn(FileReader.prototype, 'read');
    await upload(alice, 'never sent', 'draft.txt');
    await sendFile(alice, chat_id, await photo('png'), 'a.png');
    await sendFile(alice, chat_id, 'PK\u0003\u0004archive', 'a.zip');
    const { file } = await sendFile(alice, chat_id, 'a  needle\n\n\there ', 'a.txt');
    await bob.api.sendMessage({ chat_id, text: 'again', attachments: [{ id: file.id }] });
    await readFiles(world);
    await world.restart();
    await readFiles(world);
    expect(read).toHaveBeenCalledTimes(1);
    expect(await textsIn(world)).toEqual(['a needle here']);
  },
);

test(
  'FILE-28: several nodes at once read each file once',
  { ...needs('postgres', 'redis'), tags: ['program', 'long'] },
  async () => {
    await using world = await createWorld({ nodes: 2 });
    const { alice, bob, chat_id } = await scene(world);
    const read = vi.spyOn(FileReader.prototype, 'read');
    for (let at = 0; at < 4; at += 1) await sendFile(alice, chat_id, `needle ${at}`, `${at}.txt`);
    await Promise.all(world.services.map(({ files }) => files.texts.tend()));
    await readFiles(world);
    expect(read).toHaveBeenCalledTimes(4);
    expect(await foundFiles(bob, 'needle')).toHaveLength(4);
  },
);

test(
  'FILE-28: a file that is encrypted, damaged, binary or without words is marked and not tried again',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, chat_id } = await scene(world);
    await sendFile(alice, chat_id, pdf({ isLocked: true }), 'locked.pdf');
    await sendFile(alice, chat_id, lockedOffice(), 'locked.docx');
    await sendFile(alice, chat_id, Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(100, 1)]), 'damaged.pdf');
    await sendFile(alice, chat_id, Buffer.from([1, 2, 3, 0, 255]), 'binary.dat');
    await sendFile(alice, chat_id, docx(paragraphs('!!!')), 'no-word.docx');
    for (let round = 0; round < 2; round += 1) {
      await readFiles(world);
      const rows = await rowsOfTexts(world);
      expect(rows).toHaveLength(5);
      for (const { text, tries, read_at: readAt } of rows)
        expect([text, tries, readAt]).toEqual([null, 1, expect.any(Number)]);
    }
  },
);

test(
  'FILE-28: a text has at most 100,000 characters, and 8 bytes for each byte that the file counts',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, chat_id } = await scene(world);
    await sendFile(alice, chat_id, 'word '.repeat(50_000), 'long.txt');
    const content = '語'.repeat(60_000);
    const { file } = await sendFile(alice, chat_id, docx(paragraphs(content)), 'small.docx');
    await readFiles(world);
    const [long, small = ''] = await textsIn(world);
    expect(long?.length).toBe(99_999);
    const most = (file.size + 4_096) * 8;
    expect(Buffer.byteLength(small ?? '')).toBeGreaterThan(most - 3);
    expect(Buffer.byteLength(small ?? '')).toBeLessThanOrEqual(most);
    expect(content.startsWith(small ?? '-')).toBe(true);
  },
);

/** Kills the service while it reads a file. */
async function diesReading(world: World): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  const read = vi.spyOn(FileReader.prototype, 'read').mockImplementation(() => {
    begun.resolve();
    return ended.promise;
  });
  const tending = world.service.files.texts.tend().catch(() => {});
  await begun.promise;
  read.mockRestore();
  const crash = world.crash();
  ended.reject(new Error('killed'));
  await Promise.all([crash, tending]);
}

// No housekeeping reads files beside these tests.
const quiet = () => createWorld({ clock: new ManualClock() });

async function claimsElapse(world: World): Promise<void> {
  await world.sql('UPDATE file_texts SET claimed_until = 0');
  // Reads of one turn of the event loop share a snapshot.
  await turnOfLoop();
}

test(
  'FILE-28: a file that a process was reading when it was killed is read after the restart',
  { tags: ['long'] },
  async () => {
    await using world = await quiet();
    const { alice, bob, chat_id } = await scene(world);
    await sendFile(alice, chat_id, 'a needle', 'a.txt');
    await diesReading(world);
    // The claim of the killed process protects the file for two minutes.
    await world.service.files.texts.tend();
    expect(await rowsOfTexts(world)).toEqual([{ read_at: null, text: null, tries: 1 }]);
    await claimsElapse(world);
    await readFiles(world);
    expect(await foundFiles(bob, 'needle')).toEqual([['a.txt', 'a [needle]']]);
  },
);

test(
  'FILE-28: a file whose reading ends the process three times is not read any more',
  { tags: ['long'] },
  async () => {
    await using world = await quiet();
    const { alice, chat_id } = await scene(world);
    await sendFile(alice, chat_id, 'a needle', 'a.txt');
    for (let tries = 1; tries <= 3; tries += 1) {
      await diesReading(world);
      await claimsElapse(world);
      expect(await rowsOfTexts(world)).toEqual([{ read_at: null, text: null, tries }]);
    }
    const read = vi.spyOn(FileReader.prototype, 'read');
    await readFiles(world);
    expect(read).not.toHaveBeenCalled();
    expect(await textsIn(world)).toEqual([null]);
  },
);

test('FILE-28: a file that cannot be fetched now waits, and that counts as no try', { tags: ['long'] }, async () => {
  await using world = await quiet();
  const { alice, chat_id } = await scene(world);
  await sendFile(alice, chat_id, 'a needle', 'a.txt');
  for (let round = 0; round < 5; round += 1) {
    vi.spyOn(FileReader.prototype, 'read').mockRejectedValueOnce(new Error('the storage is away'));
    await world.service.files.texts.tend();
    vi.restoreAllMocks();
    expect(await rowsOfTexts(world)).toEqual([{ read_at: null, text: null, tries: 0 }]);
    await claimsElapse(world);
  }
  await readFiles(world);
  expect(await textsIn(world)).toEqual(['a needle']);
});

test('FILE-28: while files cannot be fetched, one is tried in each tick of the housekeeping', async () => {
  await using world = await quiet();
  const { alice, chat_id } = await scene(world);
  for (const name of ['1.txt', '2.txt', '3.txt']) await sendFile(alice, chat_id, name, name);
  const read = vi.spyOn(FileReader.prototype, 'read').mockRejectedValue(new Error('the storage is away'));
  for (let tick = 1; tick <= 3; tick += 1) {
    await world.service.files.texts.tend();
    expect(read).toHaveBeenCalledTimes(tick);
  }
});

test(
  'FILE-28: a file that seems damaged while the service stops or the disk is full is read again',
  { tags: ['long'] },
  async () => {
    await using world = await quiet();
    const { alice, chat_id } = await scene(world);
    await sendFile(alice, chat_id, 'a needle', 'a.txt');
    let isPaused = false;
    vi.spyOn(FileReader.prototype, 'read').mockImplementationOnce(async () => {
      isPaused = true;
      return { type: 'unreadable', why: 'damaged' };
    });
    await world.service.files.texts.tend(() => isPaused);
    expect(await rowsOfTexts(world)).toEqual([{ read_at: null, text: null, tries: 0 }]);
    await readFiles(world);
    expect(await textsIn(world)).toEqual(['a needle']);
  },
);

test('FILE-28: people take turns, and of each the newest file is read first', { tags: ['long'] }, async () => {
  await using world = await quiet();
  const { alice, bob, chat_id } = await scene(world);
  for (const name of ['1.txt', '2.txt', '3.txt']) await sendFile(alice, chat_id, name, name);
  await sendFile(bob, chat_id, '4.txt', '4.txt');
  const read = vi.spyOn(FileReader.prototype, 'read');
  await readFiles(world);
  expect(read.mock.calls.map(([{ name }]) => name)).toEqual(['3.txt', '4.txt', '2.txt', '1.txt']);
});

test('FILE-29: the text of a file is stored once, and deleted with the file', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const { file, message } = await sendFile(alice, chat_id, 'a needle', 'a.txt');
  const again = await bob.api.sendMessage({ chat_id, text: '', attachments: [{ id: file.id }] });
  await readFiles(world);
  expect(await textsIn(world)).toEqual(['a needle']);
  await alice.api.deleteMessages({ message_ids: [message.id] });
  expect(await textsIn(world)).toEqual(['a needle']);
  await bob.api.deleteMessages({ message_ids: [again.id] });
  expect(await textsIn(world)).toEqual([]);
});

test('FILE-29: a file that is deleted while it is read leaves no text', async () => {
  await using world = await quiet();
  const { alice, chat_id } = await scene(world);
  const { message } = await sendFile(alice, chat_id, 'a needle', 'a.txt');
  vi.spyOn(FileReader.prototype, 'read').mockImplementationOnce(async () => {
    await alice.api.deleteMessages({ message_ids: [message.id] });
    return { type: 'text', text: 'a needle', isWhole: true };
  });
  await readFiles(world);
  expect(await textsIn(world)).toEqual([]);
});

test('FILE-30: files that nodes of an earlier version left unread are read after a recount, and left texts are deleted', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  await sendFile(alice, chat_id, 'a needle', 'a.txt');
  const { file } = await sendFile(alice, chat_id, 'another', 'b.txt');
  await readFiles(world);
  await world.sql("DELETE FROM file_texts WHERE text = 'a needle'");
  await world.sql('UPDATE file_texts SET file_key = file_key + 1000');
  const waiting = { read_at: null, text: null, tries: 0 };
  await world.service.units.run('recount', { key: 0, username: '' } as never, {}, 0);
  expect(await rowsOfTexts(world)).toEqual([waiting, waiting]);
  await readFiles(world);
  expect(await foundFiles(bob, 'needle')).toHaveLength(1);
  expect(file.name).toBe('b.txt');
});
