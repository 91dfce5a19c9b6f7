// Slack's blocks as Markdown (WEBHOOK-5). The time is linear in the text.
import { isObject, textIn } from './json-values.ts';
import { bold, type Fields, fieldsIn, heading, lines, MAX_DEPTH, paragraphs, words } from './slack-fields.ts';
import { ofStandardMarkdown } from './slack-markdown.ts';
import { decoded, labelOf, link, markdownOf, plain } from './slack-mrkdwn.ts';
import { inlineText, richTextBlock } from './slack-rich-text.ts';

/** Maximum blocks of a message, as at Slack. */
const MAX_BLOCKS = 50;
/** Maximum rows and columns of a table, as at Slack, and one row of headings. */
const MAX_ROWS = 101;
const MAX_COLUMNS = 20;

export const blocksText = (blocks: unknown, depth = 0): string =>
  depth > MAX_DEPTH
    ? ''
    : paragraphs(
        fieldsIn(blocks)
          .slice(0, MAX_BLOCKS)
          .map((block) => blockText(block, depth)),
      );

function blockText(block: Fields, depth: number): string {
  switch (block['type']) {
    case 'header':
      return heading(textObject(block['text']));
    case 'section':
      return lines([
        textObject(block['text']),
        ...fieldsIn(block['fields']).map(textObject),
        element(block['accessory']),
      ]);
    case 'context':
      return words(fieldsIn(block['elements']).map(element));
    case 'actions':
      return words(fieldsIn(block['elements']).map(element), ' · ');
    case 'image':
      return lines([textObject(block['title']), element(block)]);
    case 'divider':
      return '---';
    case 'rich_text':
      return richTextBlock(block['elements']);
    case 'markdown':
      return ofStandardMarkdown(textIn(block['text']));
    case 'table':
    case 'data_table':
      return paragraphs([bold(plain(decoded(textIn(block['caption'])))), table(block)]);
    case 'video':
      return video(block);
    case 'alert':
      return quoted(textObject(block['text']));
    case 'card':
      return lines([
        titleText(block['title']),
        textObject(block['subtitle']),
        textObject(block['body']),
        element(block['hero_image']),
        words(fieldsIn(block['actions']).map(element), ' · '),
      ]);
    case 'carousel':
      return blocksText(block['elements'], depth + 1);
    case 'container':
      return paragraphs([
        titleText(block['title']),
        isObject(block['rich_text_title']) ? blockText(block['rich_text_title'], depth + 1) : '',
        textObject(block['subtitle']),
        blocksText(block['child_blocks'], depth + 1),
      ]);
    case 'plan':
      return paragraphs([bold(plain(textIn(block['title']))), blocksText(block['tasks'], depth + 1)]);
    case 'task_card':
      return task(block);
    // Fields to fill in, buttons of an app and files that only Slack has.
    case 'input':
    case 'context_actions':
    case 'file':
      return '';
    default:
      return lines(textsIn(block));
  }
}

/** A text, a picture or a button that opens a page; other elements need an app at Slack. */
function element(value: unknown): string {
  if (!isObject(value)) return '';
  if (value['type'] === 'image') return link(labelOf(textIn(value['alt_text'])) || 'image', value['image_url']);
  if (value['type'] === 'button')
    return link(labelOf(textIn(isObject(value['text']) ? value['text']['text'] : '')), value['url']);
  return textObject(value);
}

/** A text object: `mrkdwn`, or `plain_text`, whose characters mean nothing. */
function textObject(value: unknown): string {
  if (!isObject(value)) return '';
  const text = textIn(value['text']);
  return value['type'] === 'plain_text' ? plain(decoded(text)) : value['type'] === 'mrkdwn' ? markdownOf(text) : '';
}

/** Bold, unless it has bold words of its own. */
function titleText(value: unknown): string {
  const text = textObject(value);
  return text.includes('**') ? text : bold(text);
}

const quoted = (text: string): string => (text === '' ? '' : text.replaceAll(/^/gm, '> '));

function video(block: Fields): string {
  const title = isObject(block['title']) ? labelOf(textIn(block['title']['text'])) : '';
  const name = title || labelOf(textIn(block['alt_text'])) || 'video';
  return lines([
    bold(link(name, block['title_url'] ?? block['video_url']) || plain(name)),
    textObject(block['description']),
    words([plain(textIn(block['author_name'])), plain(textIn(block['provider_name']))], ' · '),
  ]);
}

const STATES: Readonly<Record<string, string>> = { pending: '⏳', in_progress: '🔄', complete: '✅', error: '❌' };

function task({ title, status, details, output, sources }: Fields): string {
  return paragraphs([
    words([STATES[textIn(status)] ?? '', bold(plain(textIn(title)))]),
    ...[details, output].map((text) => (isObject(text) ? richTextBlock(text['elements']) : '')),
    words(
      fieldsIn(sources).map(({ text, url }) => link(textIn(text), url)),
      ' · ',
    ),
  ]);
}

const ALIGNED: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' };

/** The first row has the headings, as in every table in Markdown. */
function table({ rows, column_settings }: Fields): string {
  if (!Array.isArray(rows)) return '';
  const cells = rows
    .filter((row) => Array.isArray(row))
    .slice(0, MAX_ROWS)
    .map((row: readonly unknown[]) => row.slice(0, MAX_COLUMNS).map(cell));
  const width = Math.max(0, ...cells.map(({ length }) => length));
  const [first, ...others] = cells.map((row) => rowOf([...row, ...Array<string>(width - row.length).fill('')]));
  if (first === undefined || width === 0) return '';
  const settings: readonly unknown[] = Array.isArray(column_settings) ? column_settings : [];
  const rule = Array.from({ length: width }, (_, at) => {
    const setting = settings[at];
    return ALIGNED[isObject(setting) ? textIn(setting['align']) : ''] ?? '---';
  });
  return [first, rowOf(rule), ...others].join('\n');
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function cell(value: unknown): string {
  if (!isObject(value)) return '';
  const text =
    value['type'] === 'rich_text'
      ? fieldsIn(value['elements'])
          .map(({ elements }) => inlineText(elements))
          .join(' ')
      : plain(decoded(textIn(value['text']) || (typeof value['value'] === 'number' ? String(value['value']) : '')));
  // A bar ends a cell, in code too.
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<!\\)\|/g, String.raw`\|`)
    .trim();
}

/** Fields of blocks that hold words; those of other names are ids, addresses and settings. */
const WORDS = new Set(['text', 'title', 'subtitle', 'body', 'label', 'description', 'caption', 'alt_text', 'fallback']);

/** The texts in a block that nobody here knows. */
function textsIn(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, depth + 1));
  if (!isObject(value)) return [];
  const own = textObject(value);
  if (own !== '') return [own];
  const shown = element(value);
  if (shown !== '') return [shown];
  if (value['type'] === 'rich_text') return [richTextBlock(value['elements'])];
  return Object.entries(value).flatMap(([name, field]) =>
    typeof field === 'string'
      ? WORDS.has(name) && field !== ''
        ? [plain(decoded(field))]
        : []
      : textsIn(field, depth + 1),
  );
}
