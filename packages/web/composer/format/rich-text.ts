// The words of pasted rich text, with what Markdown can say of their look.
import { type HtmlElement, styleOf } from './html-tree.ts';

export interface Look {
  readonly link: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly code: boolean;
}

export interface Words extends Look {
  readonly text: string;
  /** It is Markdown already. */
  readonly isRaw?: boolean;
  /** Its spaces are shown as they are written. */
  readonly isKept?: boolean;
}

export const plain: Look = { link: '', bold: false, italic: false, strike: false, code: false };

/** The look of what is in an element. */
export function lookOf(element: HtmlElement, look: Look): Look {
  const { tag } = element;
  const style = styleOf(element);
  const [, weight] = /font-weight:\s*([\w-]+)/i.exec(style) ?? [];
  const [, slant] = /font-style:\s*([\w-]+)/i.exec(style) ?? [];
  return {
    link: look.link || (tag === 'a' ? addressOf(element) : ''),
    // Google Docs wraps everything in a <b> that is not bold.
    bold: weight === undefined ? look.bold || tag === 'b' || tag === 'strong' : /^bold|^[6-9]00/.test(weight),
    italic: slant === undefined ? look.italic || /^(?:i|em|cite)$/.test(tag) : /^(?:italic|oblique)/.test(slant),
    strike: look.strike || /^(?:s|del|strike)$/.test(tag) || style.includes('line-through'),
    code: look.code || /^(?:code|kbd|samp|tt)$/.test(tag),
  };
}

/** The address of a link, as Markdown writes it; empty if it leads nowhere outside its page. */
function addressOf(element: HtmlElement): string {
  const address = element.attributes.get('href')?.trim() ?? '';
  if (!/^(?:https?:\/\/|mailto:)\S/i.test(address)) return '';
  return address.replaceAll(
    /[\s()<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

const KEYS = ['link', 'bold', 'italic', 'strike', 'code'] as const;
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{M}\p{N}]/u.test(char);

/** Writes words as Markdown, each mark around as many of them as possible. */
export function written(words: readonly Words[], keys: readonly (typeof KEYS)[number][] = KEYS): string {
  const [key, ...rest] = keys;
  if (key === undefined) return words.map(({ text, code, isRaw }) => (code || isRaw ? text : escaped(text))).join('');
  let all = '';
  for (let at = 0; at < words.length;) {
    const value = words[at]?.[key];
    let end = at + 1;
    while (end < words.length && words[end]?.[key] === value) end += 1;
    const group = words.slice(at, end);
    const isInWord = isWord(all.at(-1)) || isWord(words[end]?.text[0]);
    all += value ? marked(key, group, written(group, rest), isInWord) : written(group, rest);
    at = end;
  }
  return all;
}

/** Spaces stand outside of marks. */
function marked(key: (typeof KEYS)[number], group: readonly Words[], inner: string, isInWord: boolean): string {
  const words = inner.trim();
  if (words === '') return inner;
  const before = inner.slice(0, inner.length - inner.trimStart().length);
  const after = inner.slice(inner.trimEnd().length);
  return before + withMark(key, group, words, isInWord) + after;
}

function withMark(key: (typeof KEYS)[number], group: readonly Words[], words: string, isInWord: boolean): string {
  switch (key) {
    case 'link': {
      const address = group[0]?.link ?? '';
      const text = group
        .map((one) => one.text)
        .join('')
        .trim();
      return text === address || `mailto:${text}` === address ? text : `[${words}](${address})`;
    }
    case 'bold':
      return `**${words}**`;
    case 'italic':
      return isInWord ? `*${words}*` : `_${words}_`;
    case 'strike':
      return `~~${words}~~`;
    case 'code':
      return asCode(words);
    default:
      return key satisfies never;
  }
}

/** The backticks around code, which are more than there are in it. */
export const ticksFor = (code: string, least: number): string =>
  '`'.repeat(Math.max(least, ...(code.match(/`+/g) ?? []).map(({ length }) => length + 1)));

function asCode(text: string): string {
  const ticks = ticksFor(text, 1);
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

/** Signs of plain words that would be marks. */
function escaped(text: string): string {
  return text
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replaceAll(/`|\*(?!\s)|(?<!\s)\*|~~|\](?=\()|\[(?=\^)/g, '\\$&')
    .replaceAll(/(?<![\p{L}\p{N}\\])_(?!\s|$)|(?<!\s|^|\\)_(?![\p{L}\p{N}])/gu, '\\_');
}

/** A paragraph whose first words would begin another block. */
export const asParagraph = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.replace(/^(?:[-+*](?=\s|$)|>|#{1,6}(?=\s|$)|---|~~~)/, '\\$&').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2'),
    )
    .join('\n');
