import { deleteParticipant, insertParticipant } from '@parley/server/store/chats.ts';
import { buryMessage, hideMessage, insertMessage, updateMessage } from '@parley/server/store/messages.ts';
import { newIdBytes } from '@parley/server/core/ids.ts';
import { parseQuery } from '@parley/server/rules/search-query.ts';
import { defaultBounds, type SearchBounds } from '@parley/server/search/engines/bounds.ts';
import type { Found, SearchRequest } from '@parley/server/search/message-search.ts';
import { idText } from '@parley/server/core/ids.ts';
import { noteMessageOfText, noteMessagesOfFile } from '@parley/server/store/file-texts.ts';
import { insertFile, insertUse } from '@parley/server/store/files.ts';
import { reindexMessage } from '@parley/server/store/search.ts';
import type { Awaitable, Sql } from '@parley/server/store/sql.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** An index that follows the store. */
export interface IndexUnderTest {
  find(request: SearchRequest, bounds: SearchBounds, now?: () => number): Awaitable<Found>;
  /** False if there was nothing left to do. */
  tendOnce(): Awaitable<boolean>;
  /** The messages that the index has for one word, in ascending order. */
  keysOf(word: string, last: number): Awaitable<number[]>;
  /** Drops caches and reopens; use the returned index from here on. */
  reopen(): Awaitable<IndexUnderTest>;
  close(): Awaitable<void>;
}

export interface SearchUnderTest {
  store: Sql;
  /** Removes all messages and the index. */
  empty(): Awaitable<void>;
  open(bounds: SearchBounds): Awaitable<IndexUnderTest>;
  close(): Awaitable<void>;
}

export interface Stored {
  key: number;
  chat: number;
  sender: number;
  text: string;
  status: 'complete' | 'streaming';
  isDeleted: boolean;
  isNotice: boolean;
}

export const recordOf = (content: string): string => JSON.stringify({ content, attachments: [] });

export async function storeMessage(
  store: Sql,
  chat: number,
  sender: number,
  text: string,
  more: Partial<Stored> = {},
): Promise<Stored> {
  const { status = 'complete', isNotice = false } = more;
  const marks = isNotice ? 4 : 0;
  const id = newIdBytes(0);
  const made = await store.get(insertMessage, id, chat, 0, 0, sender, status, marks, 0, null, null, recordOf(text));
  return { key: made?.key ?? 0, chat, sender, text, status, isDeleted: false, isNotice };
}

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
  const attachments = files.map((file) => ({ id: idText(file.id), kind: 'file', name: 'x.txt' }));
  const record = JSON.stringify({ content: text, attachments });
  const made = await store.get(insertMessage, id, chat, 0, 0, sender, 'complete', 0, 0, null, null, record);
  const key = made?.key ?? 0;
  for (const file of files) {
    await store.run(insertUse, key, file.key, 0);
    if (file.text !== null) await store.run(noteMessageOfText, key, file.key);
  }
  return { key, chat, sender, text, files, isDeleted: false };
}

export const joins = (store: Sql, chat: number, account: number): Awaitable<number> =>
  store.run(insertParticipant, chat, account, 'member', null, 0, 0, 0);

export interface Asked {
  query: string;
  account: number;
  chat?: number;
  sender?: number;
  before?: number;
  after?: number;
}

/** All pages of a search, each with its number of hits. */
export async function searched(
  index: Pick<IndexUnderTest, 'find'>,
  asked: Asked,
  limit: number,
  bounds: SearchBounds = defaultBounds,
  now?: () => number,
): Promise<{ keys: number[]; pages: number[] }> {
  const keys: number[] = [];
  const pages: number[] = [];
  let before = asked.before ?? Number.MAX_SAFE_INTEGER;
  for (;;) {
    const request = {
      accountKey: asked.account,
      ownerKey: asked.account,
      query: parseQuery(asked.query),
      chatKey: asked.chat ?? 0,
      senderKey: asked.sender ?? 0,
      has: null,
      before,
      after: asked.after ?? 0,
      limit,
    };
    const { hits, next } = await index.find(request, bounds, now);
    keys.push(...hits.map(({ key }) => key));
    pages.push(hits.length);
    if (next === null) return { keys, pages };
    if (next >= before) throw new Error('pages must go from newest to oldest');
    before = next;
  }
}

const vocabulary = ['red', 'reddish', 'green', 'greener', 'blue', 'b', 'the', 'theory'];
const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 5 }).map((list) => list.join(' '));
const chat = fc.integer({ min: 1, max: 4 });
const account = fc.integer({ min: 1, max: 3 });
const which = fc.nat(200);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('send' as const), chat, account, words }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('stream' as const, 'notice' as const), chat, account, words }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), which, words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hide' as const), which, account }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('join' as const, 'leave' as const), chat, account }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tend' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);
const query = fc.oneof(
  fc.constantFrom('red', 'gree', 'b', 'th blu', 'theory', 'the', 'green red'),
  fc.constantFrom('"red green"', '"the"', 'b "blue b"'),
);
const asked = fc.record({
  query,
  account,
  chat: fc.option(chat, { nil: undefined }),
  sender: fc.option(account, { nil: undefined }),
  range: fc.option(fc.tuple(fc.nat(40), fc.nat(40)), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 4 }),
});

export const smallBounds: SearchBounds = {
  partKeys: 8,
  blockKeys: 3,
  blockBytes: 120,
  tailAtFirst: 4,
  lookedAt: 1_000,
  bytes: 1_000_000,
  steps: 1_000_000,
  budgetMs: 3,
  tailKeys: 3,
  candidates: 2,
  withFiles: true,
  fileCharacters: 1_000_000,
  fileBlockKeys: 2,
  fileBlockCharacters: 40,
  fileRangeKeys: 5,
  chatsAtOnce: 1,
};

/** What a person would find by reading everything. */
function naive({ text }: Pick<Stored, 'text'>, asked: string): boolean {
  const found = text.split(' ');
  const quoted = [...asked.matchAll(/"([^"]+)"/g)].map(([, phrase]) => phrase ?? '');
  const loose = asked
    .replaceAll(/"[^"]+"/g, '')
    .split(' ')
    .filter(Boolean);
  return (
    quoted.every((phrase) => ` ${text} `.includes(` ${phrase} `)) &&
    loose.every((word) => found.some((one) => (word.length > 1 ? one.startsWith(word) : one === word)))
  );
}

/** The behaviour that all search engines share. */
export function searchContract(name: string, open: () => Promise<SearchUnderTest>, { numRuns = 100 } = {}): void {
  describe(`${name} as a search engine`, () => {
    let at: SearchUnderTest;
    beforeEach(async () => {
      at = await open();
    });
    afterEach(() => at.close());

    const tendAll = async (index: IndexUnderTest) => {
      while (await index.tendOnce());
    };

    test('SEARCH-1, SEARCH-2, SEARCH-7, SEARCH-11: a search finds what reading everything would find, after any events and with any part indexed', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 60, size: 'max' }),
          fc.array(asked, { minLength: 1, maxLength: 6 }),
          fc.constantFrom(smallBounds, { ...smallBounds, chatsAtOnce: 2 }, { ...smallBounds, chatsAtOnce: 8 }),
          fc.boolean(),
          async (steps, searches, bounds, isSlow) => {
            await at.empty();
            let index = await at.open(bounds);
            const { store } = at;
            const stored: Stored[] = [];
            const members = new Set<string>();
            for (const one of [1, 2, 3])
              for (const where of [1, 2, 3, 4].filter((where) => where !== one)) {
                members.add(`${where} ${one}`);
                await joins(store, where, one);
              }
            const hidden = new Set<string>();
            const pick = (at: number) => stored[at % Math.max(1, stored.length)];
            for (const one of steps) {
              if (one.do === 'send') stored.push(await storeMessage(store, one.chat, one.account, one.words));
              if (one.do === 'stream')
                stored.push(await storeMessage(store, one.chat, one.account, one.words, { status: 'streaming' }));
              if (one.do === 'notice')
                stored.push(await storeMessage(store, one.chat, one.account, one.words, { isNotice: true }));
              if (one.do === 'edit') {
                const message = pick(one.which);
                if (!message || message.isDeleted) continue;
                Object.assign(message, { text: one.words, status: 'complete' });
                await store.run(updateMessage, message.key, 'complete', recordOf(one.words));
                await reindexMessage(store, message.key);
              }
              if (one.do === 'delete') {
                const message = pick(one.which);
                if (!message) continue;
                message.isDeleted = true;
                await store.run(buryMessage, message.key, 'complete', recordOf(''), 1);
                await reindexMessage(store, message.key);
              }
              if (one.do === 'hide') {
                const message = pick(one.which);
                if (!message) continue;
                hidden.add(`${one.account} ${message.key}`);
                await store.run(hideMessage, one.account, message.key);
              }
              if (one.do === 'join') {
                members.add(`${one.chat} ${one.account}`);
                await joins(store, one.chat, one.account);
              }
              if (one.do === 'leave') {
                members.delete(`${one.chat} ${one.account}`);
                await store.run(deleteParticipant, one.chat, one.account);
              }
              if (one.do === 'tend') await index.tendOnce();
              if (one.do === 'reopen') index = await index.reopen();
            }
            for (const { range, limit, ...what } of searches) {
              const [before, after] = range ?? [Number.MAX_SAFE_INTEGER, 0];
              const expected = stored
                .filter(({ key }) => key < before && key > after)
                .filter(
                  (one) => members.has(`${one.chat} ${what.account}`) && !hidden.has(`${what.account} ${one.key}`),
                )
                .filter((one) => !one.isDeleted && !one.isNotice && one.status === 'complete')
                .filter((one) => (what.chat ?? one.chat) === one.chat && (what.sender ?? one.sender) === one.sender)
                .filter((one) => naive(one, what.query))
                .map(({ key }) => key)
                .toReversed();
              let time = 0;
              const given: Asked = { query: what.query, account: what.account, before, after };
              if (what.chat !== undefined) given.chat = what.chat;
              if (what.sender !== undefined) given.sender = what.sender;
              const found = await searched(index, given, limit, isSlow ? { ...bounds, lookedAt: 2 } : bounds, () =>
                isSlow ? (time += 1) : 0,
              );
              expect(found.keys).toEqual(expected);
              if (!isSlow) for (const hits of found.pages.slice(0, -1)) expect(hits).toBe(limit);
              if (!isSlow && expected.length > 0) expect(found.pages.at(-1)).toBeGreaterThan(0);
            }
            await tendAll(index);
            // The index holds nothing of earlier texts of a message.
            for (const word of vocabulary) {
              const said = stored.filter((one) => !one.isDeleted && !one.isNotice && one.status === 'complete');
              const keys = said.filter(({ text }) => text.split(' ').includes(word)).map(({ key }) => key);
              expect(await index.keysOf(word, stored.at(-1)?.key ?? 0)).toEqual(keys);
            }
            await index.close();
          },
        ),
        { numRuns },
      );
    }, 60_000);

    test('SEARCH-20, SEARCH-21: with files too a search finds what reading everything would find, once they are indexed', async () => {
      const chats = fc.integer({ min: 1, max: 3 });
      const held = fc.array(which, { maxLength: 3 });
      const step = fc.oneof(
        { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), chat: chats, words, held }) },
        { weight: 2, arbitrary: fc.record({ do: fc.constant('upload' as const) }) },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), which, words }) },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('tend' as const) }) },
      );
      const asked = fc.record({
        query: fc.constantFrom('red', 'gre', 'blue the', '"the blue"', 'b', 'theory', 'red blue'),
        chat: fc.option(chats, { nil: undefined, freq: 3 }),
        limit: fc.integer({ min: 1, max: 4 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
          fc.array(asked, { minLength: 3, maxLength: 6 }),
          fc.constantFrom(smallBounds, { ...smallBounds, chatsAtOnce: 8 }),
          fc.boolean(),
          async (steps, searches, bounds, isNew) => {
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
            for (const { query, chat, limit } of searches) {
              const expected = stored
                .filter((one) => one.chat !== 3 && !one.isDeleted && (chat ?? one.chat) === one.chat)
                .filter((one) => holds(one.text, query) || one.files.some(({ text }) => holds(text, query)))
                .map(({ key }) => key)
                .toReversed();
              const given: Asked = { query, account: 1, ...(chat !== undefined && { chat }) };
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

    test('SEARCH-10: an unindexed store is searched from the newest message on, and completely over several pages', async () => {
      await joins(at.store, 1, 1);
      const keys: number[] = [];
      for (let made = 0; made < 40; made += 1) keys.unshift((await storeMessage(at.store, 1, 1, 'needle')).key);
      const index = await at.open(smallBounds);
      const found = async () =>
        (await searched(index, { query: 'needle', account: 1 }, 100, { ...smallBounds, budgetMs: 1_000 })).keys;
      // An engine that indexes from its first block has searched all messages by then.
      await index.tendOnce();
      let least = (await found()).length;
      expect(await found()).toEqual(keys.slice(0, least));
      expect(least).toBeGreaterThanOrEqual(4);
      while (await index.tendOnce()) {
        expect((await found()).length).toBeGreaterThanOrEqual(least);
        least = (await found()).length;
      }
      expect(await found()).toEqual(keys);
      await index.close();
    });

    test('SEARCH-10: a page that ends with the last message is the last page, even if its time was up', async () => {
      await joins(at.store, 1, 1);
      const { key } = await storeMessage(at.store, 1, 1, 'needle');
      const index = await at.open(defaultBounds);
      // The time budget is used up at every check.
      const spent = { ...defaultBounds, budgetMs: -1 };
      expect(await searched(index, { query: 'needle', account: 1 }, 10, spent)).toEqual({ keys: [key], pages: [1] });
      await index.close();
    });

    test('SEARCH-12: a page over long texts without spaces ends after a bounded number of words, and the next one continues after it', async () => {
      await joins(at.store, 1, 1);
      const long = '天地玄黃宇宙洪荒'.repeat(1_000);
      const { key } = await storeMessage(at.store, 1, 1, `${long}針`);
      for (let made = 0; made < 20; made += 1) await storeMessage(at.store, 1, 2, long);
      const index = await at.open(defaultBounds);
      const query = '天 地 玄 黃 宇 宙 洪 荒 針';
      // Nothing is indexed: each message is read.
      const found = await searched(index, { query, account: 1 }, 10, defaultBounds, () => 0);
      expect(found.keys).toEqual([key]);
      expect(found.pages.length).toBeGreaterThan(4);
      await index.close();
    });

    test("SEARCH-9: a common word in other people's conversations costs nothing", async () => {
      await joins(at.store, 1, 1);
      const own = await storeMessage(at.store, 1, 1, 'common');
      for (let made = 0; made < 500; made += 1) await storeMessage(at.store, 2, 2, 'common');
      const index = await at.open(defaultBounds);
      await tendAll(index);
      // The page would end after looking at three messages.
      const bounds = { ...defaultBounds, lookedAt: 3 };
      expect(await searched(index, { query: 'common', account: 1 }, 10, bounds)).toEqual({
        keys: [own.key],
        pages: [1],
      });
      await index.close();
    });

    /** Sends the texts, and searches before and after they are indexed. The queries name the texts that they find. */
    async function find(texts: Record<string, string>, queries: readonly (readonly string[])[]): Promise<void> {
      await joins(at.store, 1, 1);
      const keys: Record<string, number> = {};
      for (const [name, text] of Object.entries(texts)) keys[name] = (await storeMessage(at.store, 1, 1, text)).key;
      const index = await at.open(defaultBounds);
      for (let round = 0; round < 2; round += 1) {
        for (const [query = '', ...names] of queries)
          expect([query, (await searched(index, { query, account: 1 }, 5)).keys]).toEqual([
            query,
            names.map((name) => keys[name]),
          ]);
        await tendAll(index);
      }
      await index.close();
    }

    test('SEARCH-3, SEARCH-4, SEARCH-5: words, prefixes and phrases are found in every script', async () => {
      await find(
        {
          latin: "We don't take the Crème Brûlée, l’Été in Straße 5",
          greek: 'Ο οδός του Σωκράτη',
          cyrillic: 'Ёлка и Чайковский',
          hebrew: 'שָׁלוֹם עולם',
          arabic: 'سَلَام عليكم',
          hindi: 'हिन्दी भाषा',
          korean: '한국어 검색',
          japanese: '東京タワーに行く。京都も',
          thai: 'ภาษาไทย',
          mixed: '今日はsunny。晴れ',
          astral: '𠀀𠀁 and 𝔘nicode ①②',
        },
        [
          ['creme', 'latin'],
          ["don't bru", 'latin'],
          ['"take the creme"', 'latin'],
          ['"the take"'],
          ['STRASSE', 'latin'],
          ['ΟΔΟΣ', 'greek'],
          ['елка "и чаиковскии"', 'cyrillic'],
          ['שלום', 'hebrew'],
          ['سلام', 'arabic'],
          ['हिन्दी', 'hindi'],
          ['हि', 'hindi'],
          ['한국', 'korean'],
          ['タワー', 'japanese'],
          ['京都', 'japanese'],
          ['都京'],
          ['京', 'japanese'],
          ['ไทย', 'thai'],
          ['晴れ sun', 'mixed'],
          ['𠀀𠀁', 'astral'],
          ['unicode', 'astral'],
        ],
      );
    });

    test('SEARCH-3, SEARCH-4, SEARCH-5: words, prefixes and phrases are found in texts of any length', async () => {
      const numbers = Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' ');
      const distinct = Array.from({ length: 22_000 }, (_, n) => `ﷺ${n.toString(36)}`).join(' ');
      await find(
        {
          // More words than positions, one of them very often, and more distinct words than the index keeps.
          many: `${numbers} last words here`,
          often: `${'again and '.repeat(400)}never`,
          room: `${distinct} the end`,
        },
        [
          ['"last words here"', 'many'],
          ['"w19998 w19999 last"', 'many'],
          ['"words last"'],
          ['"and never"', 'often'],
          ['"and again and"', 'often'],
          ['"never again"'],
          ['"the end"', 'room'],
          ['nowhere'],
        ],
      );
    });
  });
}
