import type { SearchQuery } from '../../rules/search-query.ts';
import { wordsOf } from '../../rules/search-words.ts';

// PostgreSQL's own bounds: places beyond the first are all alike, and of one word it keeps no more than the second.
const MOST_PLACES = 16_383;
const MOST_OF_WORD = 255;
/** A vector has room for a mebibyte, in which each word takes a few bytes besides its letters. */
const MOST_BYTES = 768 * 1024;
const BYTES_BESIDES = 8;

/**
 * Each lexeme begins with the part of the keys it is in: so what is looked up in one part, also the beginning of a word,
 * costs no more than that part, however many messages there are. Behind it `:` a word, `/` the conversation, `@` the
 * sender; `!` marks a text that is too long to tell the places of its words, `?` one that is too long to tell these.
 * Words are letters and digits alone: nothing in them means anything to PostgreSQL.
 */
const word = (part: number, term: string): string => `'${part}:${term}'`;
const chat = (part: number, key: number): string => `'${part}/${key}'`;
const sender = (part: number, key: number): string => `'${part}@${key}'`;
const isUnplaced = (part: number): string => `'${part}!'`;
const isUntold = (part: number): string => `'${part}?'`;

/** The vector of a message, as text; null for one without words. */
export function wordsVector(part: number, chatKey: number, senderKey: number, text: string): string | null {
  const places = new Map<string, number[]>();
  let at = 0;
  for (const { term } of wordsOf(text)) {
    at += 1;
    const known = places.get(term);
    if (known) known.push(at);
    else places.set(term, [at]);
  }
  if (at === 0) return null;
  const whose = `${chat(part, chatKey)} ${sender(part, senderKey)}`;
  const bytes = Array.from(places.keys(), (term) => Buffer.byteLength(word(part, term)) + BYTES_BESIDES);
  if (bytes.reduce((sum, one) => sum + one, 0) > MOST_BYTES) return `${whose} ${isUntold(part)}`;
  const isPlaced = at <= MOST_PLACES && places.values().every((list) => list.length <= MOST_OF_WORD);
  const words = Array.from(places, ([term, list]) => word(part, term) + (isPlaced ? `:${list.join(',')}` : ''));
  return `${whose} ${isPlaced ? '' : isUnplaced(part)} ${words.join(' ')}`;
}

/** What is asked of one part, as text: it may be met by too much, never by too little. */
export function wordsQuery(
  part: number,
  { query, chatKeys, senderKey }: { query: SearchQuery; chatKeys: readonly number[]; senderKey: number },
): string {
  const met = query.map(({ terms, isPrefix }) => {
    const last = terms.length - 1;
    const words = terms.map((term, at) => word(part, term) + (isPrefix && at === last ? ':*' : ''));
    const all = words.join(' & ');
    return last === 0 ? all : `(${words.join(' <-> ')} | ${all} & ${isUnplaced(part)})`;
  });
  const chats = chatKeys.map((key) => chat(part, key)).join(' | ');
  const whose = senderKey === 0 ? '' : ` & ${sender(part, senderKey)}`;
  return `(${met.join(' & ')} | ${isUntold(part)}) & (${chats})${whose}`;
}
