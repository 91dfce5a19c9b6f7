// What a search in files finds (SEARCH-20, SEARCH-21), on every engine.
import { idText, newIdBytes } from '@parley/server/core/ids.ts';
import { noteMessageOfText, noteMessagesOfFile } from '@parley/server/store/file-texts.ts';
import { insertFile, insertUse } from '@parley/server/store/files.ts';
import { buryMessage, insertMessage, mark, updateMessage } from '@parley/server/store/messages.ts';
import { setMarks } from '@parley/server/store/reply-versions.ts';
import { reindexMessage } from '@parley/server/store/search.ts';
import type { Sql } from '@parley/server/store/sql.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Asked,
  joins,
  LINK,
  marksOf,
  naive,
  recordOf,
  searched,
  type SearchUnderTest,
  smallBounds,
  tendAll,
  which,
  words,
} from './searched-messages.ts';

interface StoredFile {
  id: Uint8Array;
  key: number;
  /** Null until it is read. */
  text: string | null;
}

async function storeFile(store: Sql): Promise<StoredFile> {
  const id = newIdBytes(0);
  await store.run(insertFile, id, 1, 'file', 'x.txt', 'text/plain', 1, null, null, 0, 0);
  const row = await store.get<{ key: number }, [Uint8Array]>({ sql: 'SELECT key FROM files WHERE id = $1' }, id);
  return { id, key: row?.key ?? 0, text: null };
}

/** Stores what was read of a file. */
async function readFile(store: Sql, file: StoredFile, text: string): Promise<void> {
  const sql = 'INSERT INTO file_texts (file_key, owner_key, read_at, text) VALUES ($1, 1, 1, $2)';
  await store.run<never, [number, string]>({ sql }, file.key, text);
  await store.run(noteMessagesOfFile, file.key);
  file.text = text;
}

async function storeWithFiles(store: Sql, chat: number, sender: number, text: string, files: readonly StoredFile[]) {
  const id = newIdBytes(0);
  const marks = marksOf(text) | (files.length > 0 ? mark.files : 0);
  const record = recordWith(text, files);
  const made = await store.get(insertMessage, id, chat, 0, 0, sender, 'complete', marks, 0, null, null, record);
  const key = made?.key ?? 0;
  for (const file of files) {
    await store.run(insertUse, key, file.key, 0);
    if (file.text !== null) await store.run(noteMessageOfText, key, file.key);
  }
  return { key, chat, sender, text, files, isDeleted: false };
}

const recordWith = (content: string, files: readonly StoredFile[]): string =>
  JSON.stringify({ content, attachments: files.map(({ id }) => ({ id: idText(id), kind: 'file', name: 'x.txt' })) });

async function edit(store: Sql, message: Awaited<ReturnType<typeof storeWithFiles>>, text: string): Promise<void> {
  message.text = text;
  await store.run(updateMessage, message.key, 'complete', recordWith(text, message.files));
  await store.run(setMarks, message.key, mark.links, marksOf(text));
  await reindexMessage(store, message.key);
}

/** Part of the contract of search engines. `tested`: the engine of the running test. */
export function filesContract(tested: () => SearchUnderTest, numRuns: number): void {
  test('SEARCH-19, SEARCH-20: a message is found by its file and its links after an edit has added or removed one', async () => {
    const { store, open } = tested();
    await joins(store, 1, 1);
    const file = await storeFile(store);
    await readFile(store, file, 'needle');
    const message = await storeWithFiles(store, 1, 1, 'hay', [file]);
    const index = await open(smallBounds);
    await tendAll(index);
    for (const text of [LINK, 'hay']) {
      await edit(store, message, text);
      await tendAll(index);
      for (const has of [null, 'file', 'link', 'image'] as const) {
        const isFound = has === null || has === 'file' || (has === 'link' && text === LINK);
        const { keys } = await searched(index, { query: 'needle', account: 1, has }, 10);
        expect([text, has, keys]).toEqual([text, has, isFound ? [message.key] : []]);
      }
    }
    await index.close();
  });

  test('SEARCH-20, SEARCH-21: with files too a search finds what reading everything would find, once they are indexed', async () => {
    const chats = fc.integer({ min: 1, max: 3 });
    const held = fc.array(which, { maxLength: 3 });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), chat: chats, words, held }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('upload' as const) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), which, words }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), which, words }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('tend' as const) }) },
    );
    const asked = fc.record({
      query: fc.constantFrom('red', 'gre', 'blue the', '"the blue"', 'b', 'theory', 'red blue'),
      chat: fc.option(chats, { nil: undefined, freq: 3 }),
      has: fc.constantFrom(null, null, 'link' as const, 'file' as const),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
        fc.array(asked, { minLength: 3, maxLength: 6 }),
        fc.constantFrom(smallBounds, { ...smallBounds, chatsAtOnce: 8 }),
        fc.boolean(),
        async (steps, searches, bounds, isNew) => {
          const at = tested();
          await at.empty();
          const { store } = at;
          // Not in the third conversation.
          for (const where of [1, 2]) await joins(store, where, 1);
          // An index that is opened later takes up older files.
          let index = isNew ? undefined : await at.open(bounds);
          const files = [await storeFile(store)];
          const stored: Awaited<ReturnType<typeof storeWithFiles>>[] = [];
          for (const one of steps) {
            if (one.do === 'upload') files.push(await storeFile(store));
            if (one.do === 'send') {
              const own = new Set(one.held.map((number) => files[number % files.length]));
              const given = [...own].filter((file) => file !== undefined);
              stored.push(await storeWithFiles(store, one.chat, 2, one.words, given));
            }
            if (one.do === 'read') {
              const file = files[one.which % files.length];
              if (file?.text === null) await readFile(store, file, one.words);
            }
            if (one.do === 'edit') {
              const message = stored[one.which % Math.max(1, stored.length)];
              if (message && !message.isDeleted) await edit(store, message, one.words);
            }
            if (one.do === 'delete') {
              const message = stored[one.which % Math.max(1, stored.length)];
              if (!message) continue;
              message.isDeleted = true;
              await store.run(buryMessage, message.key, 'complete', recordOf(''), 1);
              await reindexMessage(store, message.key);
            }
            if (one.do === 'tend') await index?.tendOnce();
          }
          index ??= await at.open(bounds);
          await tendAll(index);
          const holds = (text: string | null, query: string) => text !== null && naive({ text }, query);
          for (const { query, chat, has, limit } of searches) {
            const expected = stored
              .filter((one) => one.chat !== 3 && !one.isDeleted && (chat ?? one.chat) === one.chat)
              .filter((one) => has !== 'link' || marksOf(one.text) !== 0)
              .filter((one) => has !== 'file' || one.files.length > 0)
              .filter((one) => holds(one.text, query) || one.files.some(({ text }) => holds(text, query)))
              .map(({ key }) => key)
              .toReversed();
            const given: Asked = { query, account: 1, has, ...(chat !== undefined && { chat }) };
            const found = await searched(index, given, limit, bounds, () => 0);
            expect(found.keys).toEqual(expected);
            for (const hits of found.pages.slice(0, -1)) expect(hits).toBe(limit);
          }
          await index.close();
        },
      ),
      { numRuns: Math.ceil(numRuns / 3) },
    );
  }, 60_000);
}
