// What tests of the search engines share: messages in a store, words for them, and what a search must find.
import { newIdBytes } from '@parley/server/core/ids.ts';
import { forgiving, parseQuery } from '@parley/server/rules/search-query.ts';
import { defaultBounds, type SearchBounds } from '@parley/server/search/engines/bounds.ts';
import type { Found, SearchRequest } from '@parley/server/search/message-search.ts';
import { insertParticipant } from '@parley/server/store/chats.ts';
import { insertMessage, mark } from '@parley/server/store/messages.ts';
import type { Awaitable, Sql } from '@parley/server/store/sql.ts';
import fc from 'fast-check';

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

export const LINK = 'https://parley.example';
/** The mark of a message whose text has a link. */
export const marksOf = (text: string): number => (text.includes(LINK) ? mark.links : 0);

export const recordOf = (content: string): string => JSON.stringify({ content, attachments: [] });

export async function storeMessage(
  store: Sql,
  chat: number,
  sender: number,
  text: string,
  more: Partial<Stored> = {},
): Promise<Stored> {
  const { status = 'complete', isNotice = false } = more;
  const marks = (isNotice ? mark.service : 0) | marksOf(text);
  const id = newIdBytes(0);
  const made = await store.get(insertMessage, id, chat, 0, 0, sender, status, marks, 0, null, null, recordOf(text));
  return { key: made?.key ?? 0, chat, sender, text, status, isDeleted: false, isNotice };
}

export const joins = (store: Sql, chat: number, account: number): Awaitable<number> =>
  store.run(insertParticipant, chat, account, 'member', null, 0, 0, 0);

export interface Asked {
  query: string;
  /** The query with a mistake, and what was meant: the messages of the latter that the former does not match. */
  isForgiving?: boolean;
  account: number;
  chat?: number;
  sender?: number;
  has?: SearchRequest['has'];
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
    const typed = parseQuery(asked.query);
    const request = {
      accountKey: asked.account,
      ownerKey: asked.account,
      query: typed,
      ...(asked.isForgiving && { query: forgiving(typed) ?? typed, typed }),
      chatKey: asked.chat ?? 0,
      senderKey: asked.sender ?? 0,
      has: asked.has ?? null,
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

/** Indexes until there is nothing left to do. */
export async function tendAll(index: Pick<IndexUnderTest, 'tendOnce'>): Promise<void> {
  while (await index.tendOnce());
}

export const vocabulary = ['red', 'reddish', 'green', 'greener', 'blue', 'b', 'the', 'theory'];
export const words = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 5 })
  .chain((list) => fc.constantFrom(list, list, [...list, LINK]))
  .map((list) => list.join(' '));
/** The number of a thing, of those that there are. */
export const which = fc.nat(200);

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
  fileChatsAtOnce: 2,
};

/** What a person would find by reading everything. */
export function naive({ text }: Pick<Stored, 'text'>, asked: string): boolean {
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
