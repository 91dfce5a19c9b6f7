/** Maximum combining marks in a row that are put in order together: UAX #15 calls such a text stream-safe. */
const LONG_RUN = /(\p{M}{30})(?=\p{M})/gu;
const JOINER = '\u034f';

/**
 * `String.prototype.normalize` in linear time. It sorts the marks of a letter, which takes quadratic time, so a joiner
 * (U+034F) divides those of more than 30: no language writes so many.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replaceAll(LONG_RUN, `$1${JOINER}`).normalize(form);
