// Texts as they are compared: names, words of a search, what is typed into a filter. Two texts that people take for the
// same one have one form here, however they were typed.

/** Marks on one letter that are compared: to put more in order takes quadratic time, and no language writes so many. */
const LONG_RUN = /(\p{M}{30})\p{M}+/gu;
/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic and its lengthening stroke; in other
 * scripts marks are significant. And what nobody sees: joiners, soft hyphens, marks of direction, selectors of variants.
 */
const DROPPED =
  // oxlint-disable-next-line no-misleading-character-class -- marks by themselves are meant
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
/** Letters with a stroke, ligatures and other letters that Unicode does not decompose, as their readers type them. */
const letters: ReadonlyMap<string, string> = new Map(
  'ßss ςσ ⱥa ƀb ȼc đd ɖd ðd ɇe ǥg ħh ɨi ɉj ꝁk łl ƚl øo ᵽp ɍr ŧt ʉu ɏy ƶz þth æae œoe ıi ґг کك یي ىي ەه ہه'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);
// oxlint-disable-next-line parley/linear-expressions -- one character, which does not repeat
const REPLACED = new RegExp(`[${[...letters.keys()].join('')}[\\p{Nd}--[0-9]]]`, 'gv');
/** Thai and Lao: a mark of tone stands before, within or behind the vowel am, which looks the same. */
const RING_AND_TONE = /([\u0e4d\u0ecd][\u0e32\u0eb2]?)([\u0e48-\u0e4b\u0ec8-\u0ecb])/g;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** The ASCII digit of a digit of any script: each script has ten in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (before < 9 && isDigit(code - before - 1)) before += 1;
  return String(before);
}

// eslint-disable-next-line no-control-regex -- all of ASCII
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

/**
 * A text without regard to case, diacritics and forms of the same letter or digit, decomposed. Each part of a text folds
 * to a part of the folded text. Takes linear time.
 */
export const foldedApart = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .replaceAll(LONG_RUN, '$1')
        .normalize('NFKD')
        .replaceAll(DROPPED, '')
        // By way of upper case ı becomes i.
        .toUpperCase()
        .toLowerCase()
        .replaceAll(REPLACED, (sign) => letters.get(sign) ?? digitOf(sign))
        .replaceAll(RING_AND_TONE, '$2$1');

/** The same, composed: the form in which texts are compared and stored. */
export const folded = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : foldedApart(text).normalize('NFKC');
