import { Slice } from '../../core/slices.ts';
import { fileTermsOf, fileTermsOfQuery } from '../../rules/file-terms.ts';
import type { SearchQuery } from '../../rules/search-query.ts';
import { wordsOf } from '../../rules/search-words.ts';
import type { Indexed } from '../held.ts';

// PostgreSQL's limits: the highest position that it stores, and the number of positions that it keeps per word.
const MAX_PLACES = 16_383;
const MAX_OF_WORD = 255;
/** Maximum bytes of the words in a vector, which holds 1 MiB; each word needs a few bytes besides its letters. */
const MAX_BYTES = 768 * 1024;
const BYTES_BESIDES = 8;

/**
 * Each lexeme begins with the number of the part its key is in, so that looking up a word or a prefix in one part costs
 * no more than that part. The next character is `:` for a word, `/` for the conversation, `@` for the sender, `#` for a
 * mark of the message; `!` stands for a text too long for word positions, and `?` for one too long for its words. Words contain only letters and digits, so
 * nothing in them is PostgreSQL syntax.
 */
const word = (part: number, term: string): string => `'${part}:${term}'`;
const chat = (part: number, key: number): string => `'${part}/${key}'`;
const sender = (part: number, key: number): string => `'${part}@${key}'`;
const holds = (part: number, mark: number): string => `'${part}#${mark}'`;
const isUnplaced = (part: number): string => `'${part}!'`;
const isWithoutWords = (part: number): string => `'${part}?'`;

const aboutOf = (part: number, { chatKey, senderKey, marks }: Indexed): string[] => [
  chat(part, chatKey),
  sender(part, senderKey),
  ...marks.map((mark) => holds(part, mark)),
];

/** The vector of a message, as text; null if it has no words. */
export function wordsVector(part: number, indexed: Indexed, text: string): string | null {
  const places = new Map<string, number[]>();
  let at = 0;
  for (const { term } of wordsOf(text)) {
    at += 1;
    const known = places.get(term);
    if (known) known.push(at);
    else places.set(term, [at]);
  }
  if (at === 0) return null;
  const about = aboutOf(part, indexed).join(' ');
  const bytes = Array.from(places.keys(), (term) => Buffer.byteLength(word(part, term)) + BYTES_BESIDES);
  if (bytes.reduce((sum, one) => sum + one, 0) > MAX_BYTES) return `${about} ${isWithoutWords(part)}`;
  const isPlaced = at <= MAX_PLACES && places.values().every((list) => list.length <= MAX_OF_WORD);
  const words = Array.from(places, ([term, list]) => word(part, term) + (isPlaced ? `:${list.join(',')}` : ''));
  return `${about} ${isPlaced ? '' : isUnplaced(part)} ${words.join(' ')}`;
}

interface Terms {
  query: SearchQuery;
  chatKeys: readonly number[];
  /** 0: any sender. */
  senderKey: number;
  /** The mark that the message must have; 0 for none. */
  mark: number;
}

/** The query for one part, as text. It may match too much, never too little. */
export function wordsQuery(part: number, { query, ...about }: Terms): string {
  const met = query.map(({ terms, isPrefix }) => {
    const last = terms.length - 1;
    const words = terms.map((term, at) => word(part, term) + (isPrefix && at === last ? ':*' : ''));
    const all = words.join(' & ');
    return last === 0 ? all : `(${words.join(' <-> ')} | ${all} & ${isUnplaced(part)})`;
  });
  return [`(${met.join(' & ')} | ${isWithoutWords(part)})`, ...aboutQuery(part, about)].join(' & ');
}

const aboutQuery = (part: number, { chatKeys, senderKey, mark }: Omit<Terms, 'query'>): string[] => [
  `(${chatKeys.map((key) => chat(part, key)).join(' | ')})`,
  ...(senderKey === 0 ? [] : [sender(part, senderKey)]),
  ...(mark === 0 ? [] : [holds(part, mark)]),
];

/**
 * The vector of a file, without positions. A vector holds 1 MiB, and only a text that consists of distinct words reaches
 * MAX_BYTES: the rest of its words is left out. This runs on the main thread, so it pauses: a Chinese text has 200,000
 * terms.
 */
export async function fileVector(part: number, indexed: Indexed, text: string): Promise<string> {
  const lexemes = new Set(aboutOf(part, indexed));
  const slice = new Slice();
  let bytes = 0;
  for (const term of fileTermsOf(wordsOf(text))) {
    if (slice.isSpent) await slice.pause();
    const lexeme = word(part, term);
    if (lexemes.has(lexeme)) continue;
    bytes += Buffer.byteLength(lexeme) + BYTES_BESIDES;
    if (bytes > MAX_BYTES) break;
    lexemes.add(lexeme);
  }
  return [...lexemes].join(' ');
}

/** The query for the files of one part, as text. It may match too much. */
export function filesQuery(part: number, { query, ...about }: Terms): string {
  const terms = fileTermsOfQuery(query).map(({ term, isPrefix }) => word(part, term) + (isPrefix ? ':*' : ''));
  return [...terms, ...aboutQuery(part, about)].join(' & ');
}
