// Code is left unchanged: mentions do not count there.
// oxlint-disable-next-line parley/linear-expressions -- a fence that nothing closes matches up to the end
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;

/** The text of a message without the bot's `@username`. */
export function withoutMention(text: string, username: string): string {
  // Like the service's own mentions: not within an email address or a longer name. Usernames contain letters, digits,
  // `_` and `:`.
  // oxlint-disable-next-line parley/linear-expressions -- only one character may repeat, and it is not required
  const mention = new RegExp(
    String.raw`(?<![\p{L}\p{Nd}_.+-])@${username}(?![\p{L}\p{Nd}_]|:[\p{L}\p{Nd}_])(?:[,:](?=\s|$))?[^\S\n]*`,
    'giu',
  );
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(mention, '')))
    .join('')
    .trim();
}
