// Guards Markdoc's grammar: only bounded, registered tags with plain values reach it. Markdoc's own Markdown parser is
// not used: it is made for trusted documents and loses text.
import { type GrammarTag, parse } from '#markdoc-grammar';
import { ruleOf } from './tag-names.ts';
import type { Attributes, Value } from './tree.ts';

const MOST_LENGTH = 32_768;
const MOST_DEPTH = 6;
const HEAD = /^\{%[ \t\n]*(\/?)([a-z][\w-]*)(?=[\s/%])/;

export interface ReadTag {
  readonly name: string;
  readonly form: 'single' | 'open' | 'close';
  readonly attributes: Attributes;
}

/** Parses a tag from `{%` to `%}`; undefined if it is not a registered tag. */
export function readTag(text: string): ReadTag | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  const head = HEAD.exec(text);
  const name = head?.[2] ?? '';
  const rule = ruleOf(name);
  if (!rule) return undefined;
  const inner = text.slice(2, -2).trim();
  if (head?.[1] === '/') return inner === `/${name}` ? { name, form: 'close', attributes: {} } : undefined;
  const plain = plainSyntax(inner);
  const attributes = plain === undefined ? undefined : attributesOf(plain, name);
  if (!attributes) return undefined;
  // Tags without content need no slash.
  const isOpen = !inner.endsWith('/') && (rule.holds === true || rule.isLabelled === true);
  return { name, form: isOpen ? 'open' : 'single', attributes };
}

/** Escapes line breaks in strings for Markdoc; undefined for functions, variables and deep nesting. */
function plainSyntax(inner: string): string | undefined {
  let [isString, depth, plain] = [false, 0, ''];
  for (let at = 0; at < inner.length; at += 1) {
    const char = inner.charAt(at);
    if (isString && char === '\\') {
      plain += char + inner.charAt(at + 1);
      at += 1;
      continue;
    }
    if (char === '"') isString = !isString;
    else if (!isString) {
      if (char === '(' || char === '$' || char === '@') return undefined;
      if (char === '[' || char === '{') depth += 1;
      if (char === ']' || char === '}') depth -= 1;
      if (depth > MOST_DEPTH) return undefined;
    }
    plain += isString && char === '\n' ? String.raw`\n` : isString && char === '\t' ? String.raw`\t` : char;
  }
  return plain;
}

function attributesOf(plain: string, name: string): Attributes | undefined {
  let tag: GrammarTag;
  try {
    tag = parse(plain);
  } catch {
    return undefined;
  }
  if (tag.meta?.tag !== name) return undefined;
  const values: [string, Value][] = [];
  for (const { type, name: attribute, value } of tag.meta.attributes ?? []) {
    if (type !== 'attribute') continue;
    if (!isPlain(value)) return undefined;
    values.push([attribute, value]);
  }
  return Object.fromEntries(values);
}

function isPlain(value: unknown): value is Value {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return typeof value === 'object' && Object.values(value).every(isPlain);
}

/**
 * The end of the tag at each `{%`: outside of quotes and before the next opening. Found for all in one backward pass, so
 * that text full of openings takes no longer than other text.
 */
export function tagEnds(text: string, from: number, end: number): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  // The end as seen from the next character and the one after it, outside and inside of quotes.
  let outside: number | undefined;
  let outsideAfter: number | undefined;
  let within: number | undefined;
  let withinAfter: number | undefined;
  for (let at = end - 1; at >= from; at -= 1) {
    const char = text.charAt(at);
    const next = at + 1 < end ? text.charAt(at + 1) : '';
    const isOpening = char === '{' && next === '%';
    if (isOpening && outsideAfter !== undefined) ends.set(at, outsideAfter);
    const outsideNext: number | undefined = outside;
    const withinNext: number | undefined = within;
    if (isOpening) outside = undefined;
    else if (char === '"') [outside, within] = [withinNext, outsideNext];
    else if (char === '\\') within = withinAfter;
    else if (char === '%' && next === '}') outside = at + 2;
    [outsideAfter, withinAfter] = [outsideNext, withinNext];
  }
  return ends;
}
