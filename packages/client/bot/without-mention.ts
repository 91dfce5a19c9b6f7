/** Scripts without spaces between words: their letters may stand beside a mention, as the service reads it. */
const UNSPACED =
  '\\u0e00-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u1950-\\u19ff\\u1a20-\\u1aaf\\u1b00-\\u1b7f\\u2e80-\\ua4cf\\ua960-\\ua97f' +
  '\\ua980-\\uaadf\\uac00-\\ud7ff\\uf900-\\ufaff\\uff66-\\uffdc\\u{16fe0}-\\u{18dff}\\u{1aff0}-\\u{1b16f}\\u{20000}-\\u{3ffff}' +
  '\\u{e0100}-\\u{e01ef}';
const LETTER = `(?![${UNSPACED}])[\\p{L}\\p{M}\\p{Nd}_]`;

// Code is left unchanged: mentions do not count there.
// oxlint-disable-next-line parley/linear-expressions -- a fence that nothing closes matches up to the end
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;

/** The text of a message without the bot's `@username`. */
export function withoutMention(text: string, username: string): string {
  // Like the service's own mentions: not within an e-mail address or a longer name. Usernames contain letters, digits,
  // `_` and `:`.
  // oxlint-disable-next-line parley/linear-expressions -- only one character may repeat, and it is not required
  const mention = new RegExp(
    String.raw`(?<![.+-]|${LETTER})@${username}(?!:?${LETTER})(?:[,:](?=\s|$))?[^\S\n]*`,
    'giu',
  );
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(mention, '')))
    .join('')
    .trim();
}
