// Character references, `&amp;`, and backslashes before punctuation: how a text writes a character that would be a mark.
import { entityNames } from './entity-names.ts';

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,9}));/y;
const ESCAPED = /\\([!-/:-@[-`{-~])|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,9});/g;
const REPLACEMENT = '\uFFFD';

interface Entity {
  readonly text: string;
  readonly length: number;
}

/** The character reference at a position. */
export function entityAt(text: string, at: number): Entity | undefined {
  ENTITY.lastIndex = at;
  const [found, decimal, hex, name] = ENTITY.exec(text) ?? [];
  if (found === undefined) return undefined;
  const char = name === undefined ? characterOf(decimal === undefined ? `0x${hex}` : decimal) : entityNames.get(name);
  return char === undefined ? undefined : { text: char, length: found.length };
}

function characterOf(number: string): string {
  const code = Number(number);
  const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : REPLACEMENT;
}

/** The backslashes and character references of a text, with what is shown in their place. */
export function* escapesIn(text: string): Generator<{ start: number; end: number; shown: string | undefined }> {
  for (const { 0: found, 1: escaped, index: start } of text.matchAll(ESCAPED)) {
    const shown = escaped === undefined ? entityAt(found, 0)?.text : undefined;
    if (escaped !== undefined || shown !== undefined)
      yield { start, end: start + (shown === undefined ? 1 : found.length), shown };
  }
}

/** The text that is meant by one with backslashes and character references. */
export const unescaped = (text: string): string =>
  text.includes('\\') || text.includes('&')
    ? text.replaceAll(ESCAPED, (found: string, escaped?: string) => escaped ?? entityAt(found, 0)?.text ?? found)
    : text;
