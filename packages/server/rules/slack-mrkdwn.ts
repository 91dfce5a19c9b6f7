// Slack's mrkdwn as Markdown, in which nothing gets a meaning that it does not have at Slack. The time is linear in the text.
import { normalized } from '@parley/markdown';
import { withEmoji } from './emoji-codes.ts';

/** Begins and ends a block of code, at Slack and here. */
export const FENCE = '```';

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(value);

/** A link whose label means nothing; empty without a label or an address. */
export function link(label: string, address: unknown): string {
  const shown = plain(label.replaceAll(/\s+/g, ' ').trim());
  return isAddress(address) && shown !== '' ? `[${shown}](${encoded(address)})` : '';
}

/** An address in which no character means anything in Markdown. */
export const encoded = (address: string): string =>
  address.replaceAll(
    /[()\\{}|$^`]|(?<=&#?\w{1,40});/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Code, which stays as it is, and what Slack writes in angle brackets. */
// oxlint-disable-next-line parley/linear-expressions -- of all fences only the last can be without its end
const VERBATIM = /```[^]*?```|`[^`\n]+`|<[^<>\n]+>/g;

/** Slack's mrkdwn as Markdown. */
export function markdownOf(given: string): string {
  const text = normalized(given);
  const parts: string[] = [];
  let isAfterFence = false;
  const add = (part: string, isFence = false): void => {
    if (part === '') return;
    const before = parts.at(-1);
    const isApart = before === undefined || before.endsWith('\n') || part.startsWith('\n');
    if ((isFence || isAfterFence) && !isApart) parts.push('\n');
    parts.push(part);
    isAfterFence = isFence;
  };
  let from = 0;
  for (const { 0: found, index } of text.matchAll(VERBATIM)) {
    add(marksOf(text.slice(from, index)));
    from = index + found.length;
    if (found.startsWith('<')) add(bracketOf(found.slice(1, -1)));
    else if (found.startsWith(FENCE)) add(fenced(found.slice(FENCE.length, -FENCE.length)), true);
    else add(decoded(found));
  }
  add(marksOf(text.slice(from)));
  return parts.join('');
}

/** A block of code, whose marks have lines of their own: only then everything in it is code to Markdown too. */
const fenced = (code: string): string => `${FENCE}\n${decoded(code.replace(/^\n/, '').replace(/\n$/, ''))}\n${FENCE}`;

/**
 * `*bold*` and `~struck~`; characters that mean something to us only are escaped, and so are backticks, so that no code
 * begins that Slack does not have.
 */
const marksOf = (text: string): string =>
  withoutReferences(
    decoded(
      withEmoji(text)
        .replaceAll(/[\\`\]{$|]|#(?![^\s#])|~(?=~)|(?<=~)~|!$/g, String.raw`\$&`)
        .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/g, '**$1**')
        .replaceAll(/(?<![\w~\\])~(?=[^\s~])([^~\n]*[^\s~\\])~(?![\w~])/g, '~~$1~~'),
    ),
  );

/** `&lt;` is a character to Markdown; at Slack it is one only once. */
const withoutReferences = (text: string): string => text.replaceAll(/&(?=#?\w{1,40};)/g, String.raw`\&`);

/** `<url|label>`, `<@name>`, `<#id|name>`, `<!here>`, `<!date^…|label>`. */
function bracketOf(inner: string): string {
  const at = inner.indexOf('|');
  const target = decoded(at < 0 ? inner : inner.slice(0, at)).trim();
  const label = decoded(at < 0 ? '' : inner.slice(at + 1)).trim();
  const name = target.slice(1).trim();
  if (name === '') return escaped(decoded(`<${inner}>`));
  if (target.startsWith('@')) return `@${named(name)}`;
  if (target.startsWith('#')) return `#${named(label || name)}`;
  if (target.startsWith('!')) return plain(label) || `@${named(name)}`;
  if (!isAddress(target)) return escaped(decoded(`<${inner}>`));
  return label === '' ? encoded(target) : link(label, target);
}

/** A name as it is; everything else without a meaning. */
export const named = (name: string): string => (/^[\w.:-]+$/.test(name) ? name : escaped(name));

export const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/**
 * Every character that could mean something in Markdown is escaped, except `[`, because `\[` begins a formula. A mention
 * stays one.
 */
export const escaped = (text: string): string =>
  withoutReferences(text.replaceAll(/[\\`*_~\]<>{}|$!^]|(?<!&)#/g, String.raw`\$&`));

/** A text whose characters mean nothing, with its emoji. */
export const plain = (text: string): string => escaped(withEmoji(text));

const BRACKETS = /<([^<>\n]+)>/g;

/** A title, footer or name: Slack's links and entities mean something in it, and nothing else does. */
export function lineOf(given: string): string {
  const text = normalized(given);
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, 1: inner = '', index } of text.matchAll(BRACKETS)) {
    parts.push(plain(decoded(text.slice(from, index))), bracketOf(inner));
    from = index + found.length;
  }
  return [...parts, plain(decoded(text.slice(from)))].join('');
}

/** The same as the label of a link, in which there can be no other: of links only their labels are left. */
export const labelOf = (text: string): string =>
  decoded(
    text.replaceAll(BRACKETS, (_, inner: string) => inner.slice(inner.indexOf('|') + 1).replace(/^[@#!](?=\w)/, '')),
  );
