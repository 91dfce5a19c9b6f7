// What tags and attachments hold, as text. Whatever is there is shown somewhere: names that nobody knows as rows.
import type { Attributes, Value } from './tree.ts';

export const isRecord = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as people read it; empty for nothing. */
export function textOfValue(value: Value | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value))
    return value
      .map((one: Value) => textOfValue(one))
      .filter((text) => text !== '')
      .join(', ');
  return Object.entries(value)
    .map(([name, inner]) => `${titleOf(name)}: ${textOfValue(inner)}`)
    .join(', ');
}

/** The first of some attributes that is there. */
export function attribute(attributes: Attributes, ...names: readonly string[]): string {
  for (const name of names) {
    const text = Object.hasOwn(attributes, name) ? textOfValue(attributes[name]) : '';
    if (text !== '') return text;
  }
  return '';
}

/** The action of a button or the id of a form: a text or a number, as the service reads it (ACTION-10). */
export function actionIn(attributes: Attributes, name: 'action' | 'id'): string {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const isOn = (attributes: Attributes, name: string): boolean =>
  Object.hasOwn(attributes, name) && attributes[name] !== false && attributes[name] !== 'false';

/** `change_percent` as `Change percent`. */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** How a tag looks, or is called by its writer: nothing to read. */
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

/** What is left when some are shown elsewhere. */
export function otherRows(attributes: Attributes, shown: readonly string[]): [name: string, text: string][] {
  return Object.entries(attributes)
    .filter(([name]) => !shown.includes(name) && !unread.has(name))
    .map(([name, value]): [string, string] => [titleOf(name), textOfValue(value)])
    .filter(([, text]) => text !== '');
}

/** The records of a list that goes by one of some names. */
export function recordsOf(attributes: Attributes, ...names: readonly string[]): Attributes[] {
  for (const name of names) {
    const list = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (Array.isArray(list)) return list.filter(isRecord);
  }
  return [];
}

/** A number, also as people write it: `1,204.50`, `+1.2 %`, `$3`. */
export function numberOf(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,%$€£¥]/g, '').replace('−', '-');
  return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}
