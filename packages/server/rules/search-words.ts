// How search divides text into words. The index, the query and the check of a hit all use this file, so that they
// agree on what a word is.
import { folded, foldedApart } from '@parley/protocol/folded';

export interface Word {
  /** The word without case and diacritics, as it is compared. */
  term: string;
  /** Position in the text: `[start, end)`. */
  start: number;
  end: number;
}

/** Maximum characters of a term; longer words with the same beginning count as equal. */
const TERM_LENGTH = 64;

// Letters and digits of scripts that are written without spaces: each character is a word, and a search finds
// characters in a row.
const unspaced =
  '[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]&&[[\\p{L}\\p{N}]--\\p{Nd}]]';
/** Letters that are signs between others: the apostrophes of `мʼяч`. */
const signs = '[\\u02b9-\\u02bf]';
const letter = `[[\\p{L}\\p{N}\\p{M}]--${unspaced}--${signs}]`;
/** What nobody sees is no end of a word. */
const joiner = '[[\\p{Cf}\\p{Default_Ignorable_Code_Point}]--[\\p{L}\\p{M}]]';
/** A mark, or a half-width sign for one. */
const mark = '[\\p{M}\\uff9e\\uff9f]';
const tone = '[\\u0e48-\\u0e4b\\u0ec8-\\u0ecb]';
/** The vowel am of Thai and Lao in two pieces, with marks of tone around it; in one piece it is a letter. */
const am = `${tone}*[\\u0e4d\\u0ecd]${tone}*[\\u0e32\\u0eb2]\\p{M}*`;
const character = `${unspaced}(?:${am}|${mark}*(?:${joiner}+${mark}+)*(?:[\\u0e33\\u0eb3]\\p{M}*)?)`;
// oxlint-disable-next-line parley/linear-expressions -- its parts share no character that repeats; a test measures it
const word = new RegExp([character, `${letter}+(?:${joiner}+${letter}+)*`].join('|'), 'gv');
const asciiWord = /[A-Za-z0-9]+/g;
const unspacedStart = new RegExp(`^${unspaced}`, 'v');

/** Whether a term is a character of a script that is written without spaces. */
export const isUnspaced = (term: string): boolean => !onlyAscii(term) && unspacedStart.test(term);

/** The words of a text, in their order. */
export function* wordsOf(text: string): Generator<Word> {
  const isAscii = onlyAscii(text);
  for (const { 0: found, index: start } of text.matchAll(isAscii ? asciiWord : word)) {
    const end = start + found.length;
    if (isAscii) yield { term: found.toLowerCase().slice(0, TERM_LENGTH), start, end };
    else for (const term of knownTermsOf(found)) yield { term, start, end };
  }
}

// eslint-disable-next-line no-control-regex -- all of ASCII
const onlyAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

/** Maximum words whose terms are kept: more than there are characters in use in any script. */
const MAX_KNOWN = 8_192;
/** Maximum characters of such a word: V8 copies shorter parts of a text, but longer ones would keep the whole text. */
const KNOWN_LENGTH = 12;
/** Folding takes longer than all else here, and the same few characters and words occur in most texts of a script. */
const known = new Map<string, readonly string[]>();

function knownTermsOf(found: string): readonly string[] {
  if (found.length > KNOWN_LENGTH) return termsOf(found);
  let terms = known.get(found);
  if (terms === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(found, (terms = termsOf(found)));
  }
  return terms;
}

/** The terms of a word: several if it is one character that stands for several letters, as `ໜ` does. */
function termsOf(found: string): readonly string[] {
  const term = folded(found).replaceAll(betweenWords, '');
  const terms = term.length > found.length && isUnspaced(term) ? (term.match(word) ?? []) : [term];
  return terms.filter((one) => one !== '').map((one) => one.slice(0, TERM_LENGTH).toWellFormed());
}

/**
 * A text that contains the decomposed terms of all words of the given one, but may also contain others. Only decomposed
 * text can be compared in pieces: `ﾊ` and `ﾟ`, two words of their own, compose to one letter.
 */
export const foldedText = (text: string): string => foldedApart(text).replaceAll(betweenWords, '');

/** The same without anything between words: it contains the decomposed terms of words in a row, joined. */
export const foldedWords = (text: string): string => foldedText(text.replaceAll(betweenWords, ''));

/** A term as `foldedText` contains it. */
export const decomposed = (term: string): string => foldedApart(term);

const betweenWords = new RegExp(`[[^\\p{L}\\p{N}\\p{M}]${signs}]+`, 'gv');

/** Moves a position in a text out of a word, to its end at most so many characters further on. */
export function wordEndFrom(text: string, at: number, most = 128): number {
  let end = at;
  while (end < text.length && end < at + most && isWithinWord(text, end)) end += 1;
  return end;
}

// Of scripts without spaces each character is a word, so a position is within a word only before a mark or a vowel am.
const any = `[\\p{L}\\p{N}\\p{M}${joiner}]`;
const within = new RegExp(
  `^(?:${any}(?:${mark}|${joiner}|[\\u0e33\\u0eb3])|[\\p{M}]?[\\u0e4d\\u0ecd\\u0e48-\\u0e4b\\u0ec8-\\u0ecb][\\u0e32\\u0eb2]|` +
    `${joiner}${any}|${letter}${letter})`,
  'v',
);

function isWithinWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  const before = text.charCodeAt(at - 1);
  const start = before >= 0xdc00 && before <= 0xdfff ? at - 2 : at - 1;
  return start >= 0 && within.test(text.slice(start, at + 2));
}
