// Messages as Slack's incoming webhooks take them, in our Markdown (WEBHOOK-5). The time is linear in the text.
import { normalized } from '@parley/markdown';

/** Fields that only Slack's form of a message has. */
const SLACK_FIELDS = ['blocks', 'mrkdwn', 'username', 'icon_emoji', 'icon_url', 'channel', 'unfurl_links'];
/** Maximum blocks of a message, as at Slack. */
const MAX_BLOCKS = 50;

/** Begins and ends a block of code, at Slack and here. */
const FENCE = '```';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether a body is in Slack's form: it has a field of Slack's, or a text with a link or a mention as Slack writes them. */
export const isSlackMessage = (body: Fields): boolean =>
  SLACK_FIELDS.some((field) => body[field] !== undefined) ||
  /<(?:[^\s<>|]+\||[@#!]\w)[^<>]*>/.test(textIn(body['text']));

/** The text of a message in Slack's form. With blocks, its `text` is only what notifications show, unless none can be shown. */
export function slackText(body: Fields): string {
  const blocks = fieldsIn(body['blocks']).slice(0, MAX_BLOCKS);
  const shown = blocks.map(blockText).filter((text) => text !== '');
  return shown.length > 0 ? shown.join('\n\n') : markdownOf(textIn(body['text']));
}

function blockText(block: Fields): string {
  switch (block['type']) {
    case 'header':
      return heading(richText(block['text']));
    case 'section':
      return lines([richText(block['text']), ...fieldsIn(block['fields']).map(richText), element(block['accessory'])]);
    case 'context':
      return words(fieldsIn(block['elements']).map(element));
    case 'actions':
      return words(fieldsIn(block['elements']).map(element), ' · ');
    case 'image':
      return lines([richText(block['title']), element(block)]);
    case 'divider':
      return '---';
    default:
      return '';
  }
}

const lines = (texts: readonly string[]): string => texts.filter(Boolean).join('\n');
/** In one line, unless there is a block of code. */
const words = (texts: readonly string[], between = ' '): string =>
  texts.some((text) => text.includes(FENCE)) ? lines(texts) : texts.filter(Boolean).join(between);
const heading = (text: string): string => (text === '' ? '' : `## ${text.replaceAll(/\s+/g, ' ')}`);

/** A text, a picture or a button that opens a page; other elements need an app at Slack. */
function element(value: unknown): string {
  if (!isFields(value)) return '';
  if (value['type'] === 'image') return link(textIn(value['alt_text']) || 'image', value['image_url']);
  if (value['type'] === 'button')
    return link(textIn(isFields(value['text']) ? value['text']['text'] : ''), value['url']);
  return richText(value);
}

/** A text object: `mrkdwn`, or `plain_text`, whose characters mean nothing. */
function richText(value: unknown): string {
  if (!isFields(value)) return '';
  const text = textIn(value['text']);
  return value['type'] === 'plain_text' ? escaped(text) : value['type'] === 'mrkdwn' ? markdownOf(text) : '';
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(value);

function link(label: string, address: unknown): string {
  const shown = escaped(label.replaceAll(/\s+/g, ' ').trim());
  return isAddress(address) && shown !== '' ? `[${shown}](${encoded(address)})` : '';
}

/** An address in which no character means anything in Markdown. */
const encoded = (address: string): string =>
  address.replaceAll(/[()\\{}|$^`]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);

/** Code, which stays as it is, and what Slack writes in angle brackets. */
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
  decoded(
    text
      .replaceAll(/[\\`\]{$|]|#(?![^\s#])|~(?=~)|(?<=~)~|!$/g, String.raw`\$&`)
      .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/g, '**$1**')
      .replaceAll(/(?<![\w~\\])~(?=[^\s~])([^~\n]*[^\s~\\])~(?![\w~])/g, '~~$1~~'),
  );

/** `<url|label>`, `<@name>`, `<#id|name>`, `<!here>`, `<!date^…|label>`. */
function bracketOf(inner: string): string {
  const at = inner.indexOf('|');
  const target = decoded(at < 0 ? inner : inner.slice(0, at)).trim();
  const label = decoded(at < 0 ? '' : inner.slice(at + 1)).trim();
  const name = target.slice(1).trim();
  if (name === '') return escaped(decoded(`<${inner}>`));
  if (target.startsWith('@')) return `@${named(name)}`;
  if (target.startsWith('#')) return `#${named(label || name)}`;
  if (target.startsWith('!')) return escaped(label) || `@${named(name)}`;
  if (!isAddress(target)) return escaped(decoded(`<${inner}>`));
  return label === '' ? encoded(target) : link(label, target);
}

/** A name as it is; everything else without a meaning. */
const named = (name: string): string => (/^[\w.:-]+$/.test(name) ? name : escaped(name));

const decoded = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/**
 * Every character that could mean something in Markdown is escaped, except `[`, because `\[` begins a formula. A mention
 * stays one.
 */
const escaped = (text: string): string => text.replaceAll(/[\\`*_~\]<>{}#|$!^]/g, String.raw`\$&`);
