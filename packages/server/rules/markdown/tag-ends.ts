import { readTag } from './read-tag.ts';

const QUOTE = 0x22;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const TAG = /[ \t]*(?=\{%)/y;
const BLANK_LINE = /\n[ \t\r]*\n/;

/** Tags at the start of a line whose markup holds a blank line: such a tag is one block all the same. */
export class SpanningTags {
  readonly #text: string;
  #ends: ReadonlyMap<number, number> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the last tag of those that follow one another from `start` on, where one of them holds a blank line. */
  endFrom(start: number): number | undefined {
    if (!this.#text.startsWith('{%', start)) return undefined;
    this.#ends ??= endOfEachTag(this.#text, 0, this.#text.length);
    let found: number | undefined;
    for (let at = start; ;) {
      TAG.lastIndex = at;
      const blanks = TAG.exec(this.#text);
      if (!blanks) return found;
      at += blanks[0].length;
      const end = this.#ends.get(at);
      const markup = this.#text.slice(at, end);
      if (end === undefined || (!END_TAG.test(markup) && !readTag(markup))) return found;
      if (BLANK_LINE.test(markup)) found = end;
      at = end;
    }
  }
}
const END_TAG = /^\{%\s*\/[a-z][\w-]*\s*%\}$/;

/**
 * The end of the tag that begins at each `{%`. A `%}` in a quoted attribute ends no
 * tag, so each opening has its own end: found for all of them in one pass backwards.
 */
export function endOfEachTag(text: string, from: number, end: number): Map<number, number> {
  const ends = new Map<number, number>();
  // The tag's end as seen from the character after this one, and from the one after that:
  // when it stands outside of quotes, and when within.
  let outside: number | undefined;
  let within: number | undefined;
  let outsideAfter: number | undefined;
  let withinAfter: number | undefined;
  for (let at = end - 1; at >= from; at--) {
    const char = text.charCodeAt(at);
    const next = at + 1 < end ? text.charCodeAt(at + 1) : 0;
    const isOpening = char === OPEN_BRACE && next === PERCENT;
    if (isOpening && outsideAfter !== undefined) ends.set(at, outsideAfter);

    const outsideNext = outside;
    const withinNext = within;
    if (isOpening) {
      // Outside of quotes no tag holds the beginning of another one.
      outside = undefined;
    } else if (char === QUOTE) {
      outside = withinNext;
      within = outsideNext;
    } else if (char === BACKSLASH) {
      within = withinAfter;
    } else if (char === PERCENT && next === CLOSE_BRACE) {
      outside = at + 2;
    }
    outsideAfter = outsideNext;
    withinAfter = withinNext;
  }
  return ends;
}
