// Values of tags and attachments as text. Nothing is hidden: unknown attributes are shown as rows.
import type { Attributes, Value } from '@parley/markdown';
import { calmText } from '../../words/calm-text.ts';
import { t } from '../../words/t.ts';

export const isRecord = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum records of a list, columns of a table and other rows that are drawn of one tag or attachment. */
const MAX_RECORDS = 50;
/** Maximum characters of a value. */
const MAX_CHARACTERS = 4_000;

/** A value in words, as it is drawn; '' for no value. */
export function textOfValue(value: Value | undefined): string {
  const text = calmText(wordsOf(value));
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text;
}

function wordsOf(value: Value | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value))
    return value
      .map((one: Value) => wordsOf(one))
      .filter((text) => text !== '')
      .join(', ');
  return Object.entries(value)
    .map(([name, inner]) => `${titleOf(name)}: ${wordsOf(inner)}`)
    .join(', ');
}

/** The first of these attributes that is set, as text. */
export function attribute(attributes: Attributes, ...names: readonly string[]): string {
  for (const name of names) {
    const text = Object.hasOwn(attributes, name) ? textOfValue(attributes[name]) : '';
    if (text !== '') return text;
  }
  return '';
}

export const isOn = (attributes: Attributes, name: string): boolean =>
  Object.hasOwn(attributes, name) && attributes[name] !== false && attributes[name] !== 'false';

/** Turns `change_percent` into `Change percent`. */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Attributes about a tag's look or identity, which are not shown. */
const unread: ReadonlySet<string> = new Set([
  'id',
  'key',
  'class',
  'style',
  'variant',
  'icon',
  'color',
  'theme',
  'width',
  'size',
  'kind',
  'type',
]);

/** The attributes that are not shown elsewhere, as rows. */
export function otherRows(attributes: Attributes, shown: readonly string[]): [name: string, text: string][] {
  const rows = Object.entries(attributes)
    .filter(([name]) => !shown.includes(name) && !unread.has(name))
    .map(([name, value]): [string, string] => [titleOf(name), textOfValue(value)])
    .filter(([, text]) => text !== '');
  const more = rows.length - MAX_RECORDS;
  return more <= 0 ? rows : [...rows.slice(0, MAX_RECORDS), ['…', t('{count, number} more', { count: more })]];
}

/** The records that are drawn of the first of these attributes that is a list. */
export const recordsOf = (attributes: Attributes, ...names: readonly string[]): Attributes[] =>
  allRecords(attributes, names).slice(0, MAX_RECORDS);

/** A row that says how many records of that list are not drawn. */
export function restOf(attributes: Attributes, ...names: readonly string[]): [name: string, text: string][] {
  const count = allRecords(attributes, names).length - MAX_RECORDS;
  return count <= 0 ? [] : [['…', t('{count, number} more', { count })]];
}

function allRecords(attributes: Attributes, names: readonly string[]): Attributes[] {
  for (const name of names) {
    const list = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (Array.isArray(list)) return list.filter(isRecord);
  }
  return [];
}

/** Parses a number, also in forms such as `1,204.50`, `+1.2 %` or `$3`. */
export function numberOf(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,%$€£¥]/g, '').replace('−', '-');
  return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}
