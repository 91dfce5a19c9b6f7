// Messages as Slack's incoming webhooks take them, in our Markdown (WEBHOOK-5). The time is linear in the text.

/** Fields that only Slack's form of a message has. */
const SLACK_FIELDS = ['blocks', 'mrkdwn', 'username', 'icon_emoji', 'icon_url', 'channel', 'unfurl_links'];
/** Maximum blocks of a message, as at Slack. */
const MAX_BLOCKS = 50;

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
      return fieldsIn(block['elements']).map(element).filter(Boolean).join(' · ');
    case 'image':
      return lines([richText(block['title']), element(block)]);
    case 'divider':
      return '---';
    default:
      return '';
  }
}

const lines = (texts: readonly string[]): string => texts.filter(Boolean).join('\n');
const words = (texts: readonly string[]): string => texts.filter(Boolean).join(' ');
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
  return isAddress(address) && shown !== ''
    ? `[${shown}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`
    : '';
}

/** Code, which stays as it is, and what Slack writes in angle brackets. */
const VERBATIM = /```[^]*?```|`[^`\n]+`|<[^<>\n]+>/g;

/** Slack's mrkdwn as Markdown. */
export function markdownOf(text: string): string {
  let made = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(VERBATIM)) {
    made += marksOf(text.slice(from, index)) + (found.startsWith('<') ? bracketOf(found.slice(1, -1)) : decoded(found));
    from = index + found.length;
  }
  return made + marksOf(text.slice(from));
}

/** `*bold*` and `~struck~`; brackets and tags, which mean something to us only, are escaped. */
const marksOf = (text: string): string =>
  decoded(
    text
      .replaceAll(/[[\]]|\{(?=%)/g, String.raw`\$&`)
      .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/g, '**$1**')
      .replaceAll(/(?<![\w~])~(?=[^\s~])([^~\n]*[^\s~])~(?![\w~])/g, '~~$1~~'),
  );

/** `<url|label>`, `<@name>`, `<#id|name>`, `<!here>`, `<!date^…|label>`. */
function bracketOf(inner: string): string {
  const at = inner.indexOf('|');
  const target = decoded(at < 0 ? inner : inner.slice(0, at));
  const label = decoded(at < 0 ? '' : inner.slice(at + 1));
  if (target.startsWith('@')) return `@${target.slice(1)}`;
  if (target.startsWith('#')) return `#${label || target.slice(1)}`;
  if (target.startsWith('!')) return escaped(label) || `@${target.slice(1)}`;
  if (!isAddress(target)) return escaped(decoded(`<${inner}>`));
  return label === '' ? target : link(label, target);
}

const decoded = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Every character that could mean something in Markdown is escaped. A mention stays one. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_~[\]<>{}#|$!]/g, String.raw`\$&`);
