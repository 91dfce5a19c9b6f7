// How search divides text into words. The index, the query and the check of a hit all use this file, so that they
// agree on what a word is.
import { normalForm } from '@parley/markdown';

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
  '[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]&&[\\p{L}\\p{N}]]';
const word = new RegExp(`${unspaced}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${unspaced}]+`, 'gv');
const asciiWord = /[A-Za-z0-9]+/g;
const unspacedStart = new RegExp(`^${unspaced}`, 'v');

/** Whether a term is a character of a script that is written without spaces. */
export const isUnspaced = (term: string): boolean => !onlyAscii(term) && unspacedStart.test(term);

/** The words of a text, in their order. */
export function* wordsOf(text: string): Generator<Word> {
  const isAscii = onlyAscii(text);
  const known = new Map<string, string>();
  for (const { 0: found, index: start } of text.matchAll(isAscii ? asciiWord : word)) {
    const term = isAscii ? found.toLowerCase() : foldedOnce(found, known);
    if (term !== '') yield { term: term.slice(0, TERM_LENGTH).toWellFormed(), start, end: start + found.length };
  }
}

// eslint-disable-next-line no-control-regex -- all of ASCII
const onlyAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

// Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic. In other scripts marks are
// significant.
const diacritics = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]+/g;

/** Folds each distinct word once: texts without spaces have thousands of words, but few distinct ones. */
function foldedOnce(found: string, known: Map<string, string>): string {
  let term = known.get(found);
  if (term === undefined) known.set(found, (term = folded(found)));
  return term;
}

/**
 * A text that contains the decomposed terms of all words of the given one, but may also contain others. Only decomposed
 * text can be compared in pieces: `ﾊ` and `ﾟ`, two words of their own, compose to one letter.
 */
export const foldedText = (text: string): string => decomposed(onlyAscii(text) ? text.toLowerCase() : unmarked(text));

/** The same without anything between words: it contains the decomposed terms of words in a row, joined. */
export const foldedWords = (text: string): string => foldedText(text.replaceAll(betweenWords, ''));

export const decomposed = (text: string): string =>
  onlyAscii(text) ? text : normalForm(text, 'NFKD').replaceAll(betweenWords, '');

const betweenWords = /[^\p{L}\p{N}\p{M}]+/gu;

/** Removes case and diacritics. */
const folded = (text: string): string =>
  onlyAscii(text) ? text.toLowerCase() : normalForm(unmarked(text), 'NFKC').replaceAll(betweenWords, '');

/** Converts to upper case first, which makes ß ss, ς σ, and ı i. */
const unmarked = (text: string): string =>
  normalForm(text, 'NFKD').replaceAll(diacritics, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** Moves a position in a text out of a word, to its end at most so many characters further on. */
export function wordEndFrom(text: string, at: number, most = 128): number {
  let end = at;
  while (end < text.length && end < at + most && isWithinWord(text, end)) end += 1;
  return end;
}

// Of scripts without spaces each character is a word, so a position is within a word only before a mark.
const within = new RegExp(
  `^(?:[\\p{L}\\p{N}\\p{M}]\\p{M}|(?!${unspaced})[\\p{L}\\p{N}\\p{M}](?!${unspaced})[\\p{L}\\p{N}])`,
  'v',
);

function isWithinWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  const before = text.charCodeAt(at - 1);
  const start = before >= 0xdc00 && before <= 0xdfff ? at - 2 : at - 1;
  return start >= 0 && within.test(text.slice(start, at + 2));
}
