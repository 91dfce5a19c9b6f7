// Slack's `rich_text` as Markdown: what its editor and its block builder make.
import { isObject, textIn } from './json-values.ts';
import { emojiNamed, emojiOf, isEmojiName } from './emoji-codes.ts';
import { type Fields, fieldsIn, MAX_DEPTH } from './slack-fields.ts';
import { encoded, escaped, FENCE, isAddress, link, named } from './slack-mrkdwn.ts';

/** Spaces before an item of a list for each level. */
const INDENT = '    ';
const MAX_INDENT = 8;

/** The elements of a `rich_text` block. */
export function richTextBlock(elements: unknown): string {
  let text = '';
  let before: unknown;
  for (const element of fieldsIn(elements)) {
    const part = elementText(element);
    if (part === '') continue;
    // Slack writes a nested list as lists one after another.
    const isNextList = element['type'] === 'rich_text_list' && before === 'rich_text_list';
    if (text !== '') text += isNextList ? '\n' : '\n\n';
    text += part;
    before = element['type'];
  }
  return text;
}

function elementText(element: Fields): string {
  switch (element['type']) {
    case 'rich_text_list':
      return list(element);
    case 'rich_text_quote':
      return trimmedLines(inlineText(element['elements']))
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
    case 'rich_text_preformatted':
      return preformatted(element);
    default:
      return trimmedLines(inlineText(element['elements'] ?? [element]));
  }
}

/** Without the line break with which Slack ends a section. */
const trimmedLines = (text: string): string => text.replace(/^\n+/, '').replace(/(?<!\n)\n+$/, '');

/** A count of at most `most`; 0 if it is none. */
const count = (value: unknown, most: number): number =>
  Number.isSafeInteger(value) ? Math.max(0, Math.min(Number(value), most)) : 0;

function list({ elements, style, indent, offset }: Fields): string {
  const before = INDENT.repeat(count(indent, MAX_INDENT));
  const first = count(offset, 1_000_000) + 1;
  return fieldsIn(elements)
    .map((item, at) => {
      const text = trimmedLines(inlineText(item['elements'])).replaceAll('\n', `\n${before}${INDENT}`);
      return `${before}${style === 'ordered' ? `${first + at}.` : '-'} ${text}`;
    })
    .join('\n');
}

function preformatted({ elements, language }: Fields): string {
  const code = fieldsIn(elements)
    .map((element) => textIn(element['text']) || textIn(element['url']))
    .join('');
  if (code === '') return '';
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = longest < FENCE.length ? FENCE : '`'.repeat(longest + 1);
  return `${fence}${/^[\w+-]{1,40}$/.exec(textIn(language))?.[0] ?? ''}\n${code.replace(/\n$/, '')}\n${fence}`;
}

/** The styles that Markdown has too. */
const STYLES = ['code', 'strike', 'bold', 'italic'];

/**
 * Elements within a line, neighbours of the same style together. `outer`: the styles of the elements around them, which
 * are not marked again; in code nothing is.
 */
export function inlineText(elements: unknown, depth = 0, outer: readonly string[] = []): string {
  if (depth > MAX_DEPTH) return '';
  const runs: { style: string; text: string }[] = [];
  for (const element of fieldsIn(elements)) {
    const within = [...outer, ...stylesOf(element['style'])];
    const style = outer.includes('code')
      ? ''
      : STYLES.filter((name) => !outer.includes(name) && within.includes(name)).join(' ');
    const text = within.includes('code') ? codeText(element, depth, within) : inlineElement(element, depth, within);
    const last = runs.at(-1);
    if (last && last.style === style) last.text += text;
    else runs.push({ style, text });
  }
  return runs.map(({ style, text }) => styled(text, style)).join('');
}

const stylesOf = (style: unknown): string[] => (isObject(style) ? STYLES.filter((name) => style[name] === true) : []);

const MARKS: readonly (readonly [name: string, mark: string])[] = [
  ['italic', '*'],
  ['bold', '**'],
  ['strike', '~~'],
];

/** Marks enclose the words of each line, because Markdown has none beside white space. */
function styled(text: string, style: string): string {
  if (style === '') return text;
  const marks = MARKS.filter(([name]) => style.includes(name)).map(([, mark]) => mark);
  return text
    .split('\n')
    .map((line) => {
      const shown = line.trim();
      if (shown === '') return line;
      const core = style.includes('code') ? codeSpan(shown) : shown;
      const begin = line.indexOf(shown);
      const inner = marks.reduce((inside, mark) => `${mark}${inside}${mark}`, core);
      return `${line.slice(0, begin)}${inner}${line.slice(begin + shown.length)}`;
    })
    .join('\n');
}

function codeSpan(text: string): string {
  const runs = new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = '`'.repeat(length);
  const gap = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + gap + text + gap + fence;
}

const codeText = (element: Fields, depth: number, within: readonly string[]): string =>
  textIn(element['text']) || textIn(element['url']) || inlineElement(element, depth, within);

function inlineElement(element: Fields, depth: number, within: readonly string[]): string {
  const text = textIn(element['text']);
  switch (element['type']) {
    case 'link': {
      const url = textIn(element['url']);
      if (!isAddress(url)) return escaped(text || url);
      return text === '' ? encoded(url) : link(text, url);
    }
    case 'emoji':
      return emoji(element);
    case 'user':
      return `@${named(textIn(element['user_id']))}`;
    case 'usergroup':
      return `@${named(textIn(element['usergroup_id']))}`;
    case 'channel':
      return `#${named(textIn(element['channel_id']))}`;
    case 'broadcast':
      return `@${named(textIn(element['range']))}`;
    case 'team':
      return escaped(textIn(element['team_id']));
    case 'color':
      return escaped(textIn(element['value']));
    case 'date': {
      const shown = textIn(element['fallback']) || dateText(element['timestamp']);
      return link(shown, element['url']) || escaped(shown);
    }
    default:
      return text === '' ? inlineText(element['elements'], depth + 1, within) : escaped(text);
  }
}

function emoji({ name, unicode, skin_tone }: Fields): string {
  const called = textIn(name);
  const shown = emojiOf(textIn(unicode)) || emojiNamed(called, Number(skin_tone));
  return shown ?? (called === '' ? '' : `:${isEmojiName(called) ? called : escaped(called)}:`);
}

/** In UTC, to the minute. */
function dateText(seconds: unknown): string {
  const date = new Date(Number(seconds) * 1_000);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
