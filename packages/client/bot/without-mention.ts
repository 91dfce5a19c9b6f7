// Code is left as it is: what looks like a mention there is none.
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;

/** What is said to a bot, without its `@username`. */
export function withoutMention(text: string, username: string): string {
  // As the service finds mentions: not within an address or a longer name. A username has letters, digits, `_`, `:`.
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
