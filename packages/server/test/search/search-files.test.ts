import { createWorld, ManualClock } from '@parley/testing';
import { docx, openDocument, paragraphs, pptx, shape, textRows, xlsx } from '@parley/testing/files/office-files.ts';
import { pdf } from '@parley/testing/files/pdfs.ts';
import { expect, test, vi } from 'vitest';
import { photo, upload } from '../helpers/file-stage.ts';
import { scene } from '../helpers/message-stage.ts';
import { foundFiles, readFiles, sendFile } from '../helpers/searched-files.ts';

const rest = ' and other words';
const texts = {
  'a.txt': `needle${rest}`,
  'b.ts': `const needle = 1;`,
  'c.csv': 'name,amount\nneedle,3\n',
  'd.pdf': pdf({ text: `a needle${rest}` }),
  'e.docx': docx(paragraphs('The first', 'a needle in Word')),
  'f.xlsx': xlsx({ sheets: { Costs: textRows(['Item', 'Price'], ['needle', '3']) } }),
  'g.pptx': pptx(shape('title', 'A needle on a slide')),
  'h.odt': openDocument('text', '<text:p>an open needle</text:p>'),
  'i.ods': openDocument(
    'spreadsheet',
    '<table:table table:name="S"><table:table-row><table:table-cell><text:p>needle</text:p></table:table-cell></table:table-row></table:table>',
  ),
  'j.odp': openDocument(
    'presentation',
    '<draw:page><draw:text-box><text:p>a needle there</text:p></draw:text-box></draw:page>',
  ),
};

test('SEARCH-20, FILE-28: a message is found by the words inside its file, and the hit names the file', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  for (const [name, content] of Object.entries(texts)) await sendFile(alice, chat_id, content, name, `see ${name}`);
  await sendFile(alice, chat_id, await photo('png'), 'needless.png');
  expect(await foundFiles(bob, 'needle')).toEqual([[null, '[needless].png']]);
  await readFiles(world);
  const found = await foundFiles(bob, '"needle"');
  expect(found.map(([name]) => name)).toEqual(Object.keys(texts).toReversed());
  for (const [name, snippet] of found) expect(snippet, name ?? '').toContain('[needle]');
  expect(found.at(-1)).toEqual(['a.txt', '[needle] and other words']);
  expect(await foundFiles(stranger, 'needle')).toEqual([]);
});

test('SEARCH-20: all words stand in one file, by its text and its name; what the message itself says comes first', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const files = [
    await upload(alice, 'the harbour in spring', 'plan.txt'),
    await upload(alice, 'a budget for 東京タワー', 'costs.txt'),
  ];
  await alice.api.sendMessage({ chat_id, text: 'early harbour', attachments: files.map(({ id }) => ({ id })) });
  await readFiles(world);
  const found = (query: string) => foundFiles(bob, query);
  expect(await found('spring HARB')).toEqual([['plan.txt', 'the [harbour] in [spring]']]);
  expect(await found('costs budget')).toEqual([['costs.txt', 'a [budget] for 東京タワー']]);
  expect(await found('京タワ')).toEqual([['costs.txt', 'a budget for 東[京タワ]ー']]);
  expect(await found('"harbour in spring"')).toEqual([['plan.txt', 'the [harbour in spring]']]);
  expect(await found('harbour')).toEqual([[null, 'early [harbour] plan.txt costs.txt']]);
  // In two files, in the message and a file, the characters and the words in another order.
  for (const query of ['spring budget', 'early spring', 'タワ京', '"spring in harbour"'])
    expect(await found(query)).toEqual([]);
});

test('SEARCH-20, SEARCH-6: the filters of a search apply to files, and pages go on from newest to oldest', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const { id: other } = await world.direct(alice, bob);
  for (let at = 0; at < 5; at += 1)
    await sendFile(
      at % 2 ? bob : alice,
      at === 4 ? other : chat_id,
      `needle ${at}`,
      `${at}.txt`,
      at === 3 ? 'needle' : '',
    );
  await readFiles(world);
  const names = async (more: Parameters<typeof foundFiles>[2]) =>
    (await foundFiles(bob, 'needle', more)).map(([name]) => name);
  expect(await names({})).toEqual(['4.txt', null, '2.txt', '1.txt', '0.txt']);
  expect(await names({ chat_id })).toEqual([null, '2.txt', '1.txt', '0.txt']);
  expect(await names({ chat_id, sender: 'alice', has: 'file' })).toEqual(['2.txt', '0.txt']);
  expect(await names({ has: 'image' })).toEqual([]);
  const { items } = await bob.api.searchMessages({ query: 'needle', limit: 2 });
  expect(await names({ before: items[1]?.message.id ?? '' })).toEqual(['2.txt', '1.txt', '0.txt']);
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bob.api.searchMessages({ query: 'needle', limit: 2, cursor });
    all.push(...page.items.map(({ message }) => message.id));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(new Set(all).size).toBe(5);
});

test('SEARCH-20: in files too nothing is found by someone who was removed, who cleared the chat or hid the message, or of a deleted channel or message', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  await alice.api.addMembers({ chat_id, usernames: ['stranger'] });
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const { message: hidden } = await sendFile(alice, chat_id, 'needle one', 'hidden.txt');
  const { message: deleted } = await sendFile(alice, chat_id, 'needle two', 'deleted.txt');
  const { id } = await upload(alice, 'needle three', 'channel.txt');
  await alice.api.sendMessage({ chat_id, channel_id, text: '', attachments: [{ id }] });
  await sendFile(alice, chat_id, 'needle four', 'kept.txt');
  await readFiles(world);
  const names = async (actor: typeof bob) => (await foundFiles(actor, 'needle')).map(([name]) => name);
  expect(await names(stranger)).toEqual(['kept.txt', 'channel.txt', 'deleted.txt', 'hidden.txt']);
  await alice.api.removeMember({ chat_id, username: 'stranger' });
  await bob.api.deleteMessagesForMe({ message_ids: [hidden.id] });
  await alice.api.deleteMessages({ message_ids: [deleted.id] });
  await alice.api.deleteChannel({ chat_id, channel_id });
  for (let round = 0; round < 2; round += 1) {
    expect(await names(stranger)).toEqual([]);
    expect(await names(bob)).toEqual(['kept.txt']);
    expect(await names(alice)).toEqual(['kept.txt', 'hidden.txt']);
    await world.service.search.tend();
  }
  await bob.api.clearChat({ chat_id });
  expect(await names(bob)).toEqual([]);
  expect(await names(alice)).toEqual(['kept.txt', 'hidden.txt']);
});

test('SEARCH-20, SEARCH-7: a file that is deleted between the search and the answer is not in the answer', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const { message } = await sendFile(alice, chat_id, 'needle one');
  const { message: edited } = await sendFile(alice, chat_id, 'needle two', 'edited.txt', 'before');
  await readFiles(world);
  const spies = world.services.map(({ search }) => {
    const find = search.find.bind(search);
    return vi.spyOn(search, 'find').mockImplementation(async (request) => {
      for (const spy of spies) spy.mockRestore();
      const result = await find(request);
      await alice.api.deleteMessages({ message_ids: [message.id] });
      await alice.api.editMessage({ message_id: edited.id, text: 'after' });
      return result;
    });
  });
  const { items } = await bob.api.searchMessages({ query: 'needle' });
  expect(items.map(({ message: { content }, file_id }) => [content, file_id])).toEqual([
    ['after', edited.attachments[0]?.id],
  ]);
});

test('SEARCH-21: a forwarded file is found in each message that holds it, and read once', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const { message } = await sendFile(alice, chat_id, 'a needle', 'notes.txt');
  await readFiles(world);
  const { id: to_chat_id } = await world.direct(bob, stranger);
  await bob.api.forwardMessages({ message_ids: [message.id], to_chat_id });
  await world.service.search.tend();
  expect(await foundFiles(stranger, 'needle')).toEqual([['notes.txt', 'a [needle]']]);
  expect(await foundFiles(bob, 'needle')).toHaveLength(2);
  await alice.api.deleteMessages({ message_ids: [message.id] });
  expect(await foundFiles(bob, 'needle')).toHaveLength(1);
  expect(await world.sql('SELECT tries FROM file_texts')).toEqual([{ tries: 1 }]);
});

test('SEARCH-21: an edited message keeps its files in the index, also those of a message that a restart found', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const { message } = await sendFile(alice, chat_id, 'a needle', 'notes.txt', 'before');
  await readFiles(world);
  await alice.api.editMessage({ message_id: message.id, text: 'after' });
  for (let round = 0; round < 2; round += 1) {
    expect(await foundFiles(bob, 'needle')).toEqual([['notes.txt', 'a [needle]']]);
    await world.service.search.tend();
  }
  await world.restart();
  expect(await foundFiles(bob, 'needle')).toEqual([['notes.txt', 'a [needle]']]);
});

test('CONFIG-29: with FILE_SEARCH=0 no file is read or searched; turned on again, those sent meanwhile are read', async () => {
  const env: Record<string, string> = { FILE_SEARCH: '0' };
  const clock = new ManualClock();
  await using world = await createWorld({ env, clock });
  const { alice, bob, chat_id } = await scene(world);
  await sendFile(alice, chat_id, 'a needle');
  for (let tick = 0; tick < 3; tick += 1) {
    await clock.advance(1_000);
    await world.settle();
  }
  expect(await world.sql('SELECT tries FROM file_texts')).toEqual([{ tries: 0 }]);
  env['FILE_SEARCH'] = '1';
  await world.restart();
  await readFiles(world);
  expect(await foundFiles(bob, 'needle')).toHaveLength(1);
  env['FILE_SEARCH'] = '0';
  await world.restart();
  expect(await foundFiles(bob, 'needle')).toEqual([]);
});

test('SEARCH-21: an index that was lost takes up the files again', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  for (let at = 0; at < 3; at += 1) await sendFile(alice, chat_id, `needle ${at}`, `${at}.txt`);
  await readFiles(world);
  // The copy of the data after a crash has no index.
  await world.crash();
  if (world.isShared) await world.sql('DELETE FROM search_extent');
  if (world.isShared) await world.sql('DELETE FROM file_words');
  await world.service.search.tend();
  expect((await foundFiles(bob, 'needle')).map(([name]) => name)).toEqual(['2.txt', '1.txt', '0.txt']);
});

test('SEARCH-20: every file of a message is examined, however many files the index names before it', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const send = async (first: string, last: string, times: number) => {
    const texts = [first, ...Array.from({ length: 8 }, () => 'train early late'), last];
    const files: { id: string }[] = [];
    for (const [at, text] of texts.entries()) files.push(await upload(alice, text, `${at}.txt`));
    for (let time = 0; time < times; time += 1)
      await alice.api.sendMessage({ chat_id, text: '', attachments: files.map(({ id }) => ({ id })) });
  };
  await send('early train late', 'early late train', 1);
  // The index names 128 files at once: all of these and 8 of the other message.
  await send('train early late', 'train early late', 12);
  await readFiles(world);
  for (const [query, name] of [
    ['"early train"', '0.txt'],
    ['"late train"', '9.txt'],
  ] as const)
    expect((await foundFiles(bob, query)).map(([found]) => found)).toEqual([name]);
});
