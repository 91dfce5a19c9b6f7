// Reads one tag. Only bounded tags with registered names are tags: an agent's text cannot name anything else.
import { attributesOf } from './tag-grammar.ts';
import { ruleOf } from './tag-names.ts';
import type { Attributes } from './tree.ts';

/** Maximum length of a tag; a longer one stays text. */
const MOST_LENGTH = 32_768;
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
  const attributes = attributesOf(inner.slice(name.length));
  if (!attributes) return undefined;
  // Tags without content need no slash.
  const isOpen = !inner.endsWith('/') && (rule.holds === true || rule.isLabelled === true);
  return { name, form: isOpen ? 'open' : 'single', attributes };
}
