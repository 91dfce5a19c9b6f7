import { runsOf } from '../depth.ts';
import { deleteParticipant } from '@parley/server/store/chats.ts';
import { buryMessage, hideMessage, mark, updateMessage } from '@parley/server/store/messages.ts';
import { defaultBounds } from '@parley/server/search/engines/bounds.ts';
import { setMarks } from '@parley/server/store/reply-versions.ts';
import { reindexMessage } from '@parley/server/store/search.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesContract } from './search-files-contract.ts';
import {
  type Asked,
  joins,
  marksOf,
  naive,
  recordOf,
  searched,
  type SearchUnderTest,
  smallBounds,
  type Stored,
  storeMessage,
  tendAll,
  vocabulary,
  which,
  words,
} from './searched-messages.ts';

const chat = fc.integer({ min: 1, max: 4 });
const account = fc.integer({ min: 1, max: 3 });
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
/** Words with one wrong letter, and the beginning that was meant. */
const mistakes: Readonly<Record<string, string>> = {
  grene: 'green', geren: 'green', grean: 'green', rreddish: 'reddish', theiry: 'theory', teory: 'theory',
}; // prettier-ignore
const query = fc.oneof(
  fc.constantFrom(...Object.keys(mistakes), 'theiry red', 'grene "red"'),
  fc.constantFrom('red', 'gree', 'b', 'th blu', 'theory', 'the', 'green red'),
  fc.constantFrom('"red green"', '"the"', 'b "blue b"'),
);
const asked = fc.record({
  query,
  account,
  chat: fc.option(chat, { nil: undefined }),
  sender: fc.option(account, { nil: undefined }),
  has: fc.constantFrom(null, null, 'link' as const),
  range: fc.option(fc.tuple(fc.nat(40), fc.nat(40)), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 4 }),
});

const meant = (typed: string): string => typed.replaceAll(/\w+/g, (word) => mistakes[word] ?? word);

/** The behaviour that all search engines share. */
export function searchContract(
  name: string,
  open: () => Promise<SearchUnderTest>,
  { numRuns = runsOf(100) } = {},
): void {
  describe(`${name} as a search engine`, () => {
    let at: SearchUnderTest;
    beforeEach(async () => {
      at = await open();
    });
    afterEach(() => at.close());

    test('SEARCH-1, SEARCH-2, SEARCH-7, SEARCH-11, SEARCH-19, SEARCH-24: a search finds what reading everything would find, after any events and with any part indexed', async () => {
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
                await store.run(setMarks, message.key, mark.links, marksOf(one.words));
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
              const isNear = meant(what.query) !== what.query;
              const expected = stored
                .filter(({ key }) => key < before && key > after)
                .filter(
                  (one) => members.has(`${one.chat} ${what.account}`) && !hidden.has(`${what.account} ${one.key}`),
                )
                .filter((one) => !one.isDeleted && !one.isNotice && one.status === 'complete')
                .filter((one) => (what.chat ?? one.chat) === one.chat && (what.sender ?? one.sender) === one.sender)
                .filter((one) => what.has === null || marksOf(one.text) !== 0)
                .filter((one) => naive(one, isNear ? meant(what.query) : what.query))
                .filter((one) => !isNear || !naive(one, what.query))
                .map(({ key }) => key)
                .toReversed();
              let time = 0;
              const given: Asked = {
                query: what.query,
                isForgiving: isNear,
                account: what.account,
                has: what.has,
                before,
                after,
              };
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

    filesContract(() => at, numRuns);

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
          strokes: 'Łódź, Đakovo, Ærøskøbing',
          digits: 'الفصل ٤٢، ปี ๒๕๖๗',
          persian: 'می\u200cخواهم کتاب بـــخوانم',
          am: 'ดื่มน\u0e49ำทุกวัน ນ\u0ec9ຳ',
          halfWidth: 'ﾊﾟｿｺﾝのｶﾞｲﾄﾞ',
          hyphens: 'inter\u00adnational\ufeff',
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
          ['lodz dakovo "aeroskobing"', 'strokes'],
          ['42 2567', 'digits'],
          ['٢٥٦٧ ４２', 'digits'],
          ['میخواهم كتاب بخوانم', 'persian'],
          ['น\u0e4d\u0e49าทุก', 'am'],
          ['"ນ\u0ecd\u0ec9າ"', 'am'],
          ['น\u0e33'],
          ['パソコン ガイド', 'halfWidth'],
          ['カイ'],
          ['international', 'hyphens'],
          ['inter\u200bnat', 'hyphens'],
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
