import { Slice } from '../../core/slices.ts';
import { fileTermsOf, fileTermsOfQuery } from '../../rules/file-terms.ts';
import type { NearWords } from '../../rules/near-words.ts';
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
 * no more than that part. A word of a message then has its conversation, so that the words of others cost nothing
 * (SEARCH-9); `!` in place of a word marks a text too long for word positions, and `?` one too long for its words. Words
 * of files are long lists without the conversation, which is a lexeme of its own. `@` is the sender, `#` a mark of the
 * message. Words contain only letters and digits, so nothing in them is PostgreSQL syntax.
 */
const word = (part: number, chatKey: number, term: string): string => `'${part}/${chatKey}:${term}'`;
const fileWord = (part: number, term: string): string => `'${part}:${term}'`;
const chat = (part: number, key: number): string => `'${part}/${key}'`;
const sender = (part: number, key: number): string => `'${part}@${key}'`;
const holds = (part: number, mark: number): string => `'${part}#${mark}'`;
const isUnplaced = (part: number, chatKey: number): string => `'${part}/${chatKey}!'`;
const isWithoutWords = (part: number, chatKey: number): string => `'${part}/${chatKey}?'`;

const aboutOf = (part: number, { senderKey, marks }: Indexed): string[] => [
  sender(part, senderKey),
  ...marks.map((mark) => holds(part, mark)),
];

/** The vector of a message, as text; null if it has no words. */
export function wordsVector(part: number, indexed: Indexed, text: string): string | null {
  const { chatKey } = indexed;
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
  const bytes = Array.from(places.keys(), (term) => Buffer.byteLength(word(part, chatKey, term)) + BYTES_BESIDES);
  if (bytes.reduce((sum, one) => sum + one, 0) > MAX_BYTES) return `${about} ${isWithoutWords(part, chatKey)}`;
  const isPlaced = at <= MAX_PLACES && places.values().every((list) => list.length <= MAX_OF_WORD);
  const words = Array.from(
    places,
    ([term, list]) => word(part, chatKey, term) + (isPlaced ? `:${list.join(',')}` : ''),
  );
  return `${about} ${isPlaced ? '' : isUnplaced(part, chatKey)} ${words.join(' ')}`;
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
export function wordsQuery(part: number, { query, chatKeys, ...about }: Terms): string {
  const inChats = chatKeys.map((chatKey) => {
    const met = query.map(({ terms, isPrefix, near }) => {
      if (near) return nearQuery(near, (term) => word(part, chatKey, term));
      const last = terms.length - 1;
      const words = terms.map((term, at) => word(part, chatKey, term) + (isPrefix && at === last ? ':*' : ''));
      const all = words.join(' & ');
      return last === 0 ? all : `(${words.join(' <-> ')} | ${all} & ${isUnplaced(part, chatKey)})`;
    });
    return `${met.join(' & ')} | ${isWithoutWords(part, chatKey)}`;
  });
  return [`(${inChats.join(' | ')})`, ...aboutQuery(part, about)].join(' & ');
}

function nearQuery({ head, starts, whole }: NearWords, lexeme: (term: string) => string): string {
  const begins = [head, ...starts].map((start) => `${lexeme(start)}:*`);
  return `(${[...begins, ...Array.from(whole, lexeme)].join(' | ')})`;
}

const aboutQuery = (part: number, { senderKey, mark }: Pick<Terms, 'senderKey' | 'mark'>): string[] => [
  ...(senderKey === 0 ? [] : [sender(part, senderKey)]),
  ...(mark === 0 ? [] : [holds(part, mark)]),
];

/**
 * The vector of a file, without positions. A vector holds 1 MiB, and only a text that consists of distinct words reaches
 * MAX_BYTES: the rest of its words is left out. This runs on the main thread, so it pauses: a Chinese text has 200,000
 * terms.
 */
export async function fileVector(part: number, indexed: Indexed, text: string): Promise<string> {
  const lexemes = new Set([chat(part, indexed.chatKey), ...aboutOf(part, indexed)]);
  const slice = new Slice();
  let bytes = 0;
  for (const term of fileTermsOf(wordsOf(text))) {
    if (slice.isSpent) await slice.pause();
    const lexeme = fileWord(part, term);
    if (lexemes.has(lexeme)) continue;
    bytes += Buffer.byteLength(lexeme) + BYTES_BESIDES;
    if (bytes > MAX_BYTES) break;
    lexemes.add(lexeme);
  }
  return [...lexemes].join(' ');
}

/** The query for the files of one part, as text. It may match too much. */
export function filesQuery(part: number, { query, chatKeys, ...about }: Terms): string {
  const terms = fileTermsOfQuery(query).map(({ term, isPrefix }) => fileWord(part, term) + (isPrefix ? ':*' : ''));
  const chats = chatKeys.map((key) => chat(part, key)).join(' | ');
  return [...terms, `(${chats})`, ...aboutQuery(part, about)].join(' & ');
}
