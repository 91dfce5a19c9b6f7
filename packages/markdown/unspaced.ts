// Scripts in which a word stands beside the next one, or beside its particle, without a space: Chinese, Japanese, Korean,
// Thai, Lao, Khmer, Burmese, Tibetan and others. A mark, a mention or an address stands between their letters as it
// stands between spaces elsewhere.

/**
 * By Unicode's blocks, for the class of a pattern with the flag `v`: a browser and the service agree on them, whichever
 * version of Unicode they know.
 */
const UNSPACED =
  // Thai, Lao, Tibetan, Burmese, Korean letters, Khmer.
  '[\\u0e00-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff' +
  // Tai and Khmer signs, Tai Tham, Balinese.
  '\\u1950-\\u19ff\\u1a20-\\u1aaf\\u1b00-\\u1b7f' +
  // Chinese and Japanese with their punctuation, Yi; Javanese, Cham and others; Korean.
  '\\u2e80-\\ua4cf\\ua960-\\ua97f\\ua980-\\uaadf\\uac00-\\ud7ff\\uf900-\\ufaff' +
  // Other forms of punctuation, kana and Korean letters: full-width Latin letters and digits are not among them.
  '\\ufe10-\\ufe1f\\ufe30-\\ufe4f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uffdc' +
  '\\u{16fe0}-\\u{18dff}\\u{1aff0}-\\u{1b16f}\\u{1f200}-\\u{1f2ff}\\u{20000}-\\u{3ffff}\\u{e0100}-\\u{e01ef}]';

const ASCII_LETTER = /[A-Za-z0-9_]/;
const LETTER = /[\p{L}\p{M}\p{Nd}_]/u;
const SOME_UNSPACED = new RegExp(UNSPACED, 'v');
const isAscii = (char: string): boolean => char < '\u0080';
/** Chinese and Japanese: to know them takes much less time than a pattern of all scripts. */
const isUsual = (char: string): boolean => char >= '\u3000' && char < '\ua000';

/** Whether a text has a character of a script without spaces. */
export const hasUnspaced = (text: string): boolean => SOME_UNSPACED.test(text);

/** Whether a character is of a script without spaces: its punctuation separates no words, and its letters are no word. */
export const isUnspaced = (char: string): boolean => !isAscii(char) && (isUsual(char) || SOME_UNSPACED.test(char));

/** Whether a character is a letter, digit or mark of a script without spaces. */
export const isUnspacedLetter = (char: string): boolean => isUnspaced(char) && LETTER.test(char);

/** Whether a character is a letter, digit or mark of a word in a script with spaces, or `_`. */
export const isSpacedLetter = (char: string): boolean =>
  isAscii(char) ? ASCII_LETTER.test(char) : !isUnspaced(char) && LETTER.test(char);

/** The code point at a position; '' at the end. */
export const characterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '';
