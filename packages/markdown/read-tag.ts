// Reads one tag. Only bounded tags with registered names are tags: an agent's text cannot name anything else.
import { attributesOf } from './tag-grammar.ts';
import { ruleOf } from './tag-names.ts';
import type { Attributes } from './tree.ts';

/** Maximum length of a tag; a longer one stays text. */
const MAX_LENGTH = 32_768;
const HEAD = /^\{%[ \t\n]*(\/?)([A-Za-z][\w-]*)(?=[\s/%])/;

export interface ReadTag {
  readonly name: string;
  readonly form: 'single' | 'open' | 'close';
  readonly attributes: Attributes;
}

/** Parses a tag from `{%` to `%}`; undefined if it is not a registered tag. */
export function readTag(text: string): ReadTag | undefined {
  const rule = ruleOf(nameOf(text));
  const tag = rule && readAnyTag(text);
  // Tags without content need no slash.
  const isSingle = tag?.form === 'open' && rule?.holds !== true && rule?.isLabelled !== true;
  return tag && isSingle ? { ...tag, form: 'single' } : tag;
}

/** The same for a tag of any name: what other clients draw may be pressed too (ACTION-10). */
export function readAnyTag(text: string): ReadTag | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const head = HEAD.exec(text);
  if (!head) return undefined;
  const [, slash, name = ''] = head;
  const inner = text.slice(2, -2).trim();
  if (slash === '/') return inner === `/${name}` ? { name, form: 'close', attributes: {} } : undefined;
  const attributes = attributesOf(inner.slice(name.length));
  return attributes && { name, form: inner.endsWith('/') ? 'single' : 'open', attributes };
}

const nameOf = (text: string): string => HEAD.exec(text)?.[2] ?? '';
