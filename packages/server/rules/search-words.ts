// Words as the search knows them. The index, the query and the check of a hit all read text through this one file, so
// that they cannot differ on what a word is.

export interface Word {
  /** As it is compared: without case and diacritics. */
  term: string;
  /** Where it stands in the text: `[start, end)`. */
  start: number;
  end: number;
}

/** Longer words are told apart by so many characters. */
const TERM_LENGTH = 64;

// Scripts that are written without spaces: there each character is a word, and what is searched are characters in a
// row. The scripts' shared punctuation is none of it.
const unspaced =
  '[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]&&[\\p{L}\\p{N}]]';
const word = new RegExp(`${unspaced}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${unspaced}]+`, 'gv');
const asciiWord = /[A-Za-z0-9]+/g;

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

// Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic. Marks of other scripts tell words apart.
const diacritics = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]+/g;

/** Texts of scripts without spaces have thousands of words, and few that differ. */
function foldedOnce(found: string, known: Map<string, string>): string {
  let term = known.get(found);
  if (term === undefined) known.set(found, (term = folded(found)));
  return term;
}

/** Upper case first: then ß is ss, and ς and σ, ı and i are one. */
const folded = (text: string): string =>
  onlyAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replaceAll(diacritics, '')
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFKC')
        .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '');
