// LaTeX formulas, `\( … \)`, `\[ … \]`, `$$ … $$` and `$ … $`: they contain no marks.
import { CodeSpans } from './code-spans.ts';
import { characterBefore } from './emphasis.ts';
import { characterAt, hasUnspaced, isSpacedLetter } from './unspaced.ts';

/** A backslash escapes the next character; one or two dollars delimit a formula. */
const TOKEN = /\\[^]|\$+/g;
const MAY_DELIMIT = /\\[()[\]]|\$\$/;
const TOKEN_OR_CODE = /\\[^]|\$+|`+/g;
const closings: ReadonlyMap<string, string> = new Map([
  [String.raw`\(`, String.raw`\)`],
  [String.raw`\[`, String.raw`\]`],
  ['$$', '$$'],
]);
const DELIMITER_LENGTH = 2;
/** Maximum UTF-16 code units of a formula between single dollars, delimiters included. */
const MAX_BETWEEN_DOLLARS = 1_000;
/** Text beside a dollar that makes it something else: a currency, `US$5`, or a variable, `${HOME}/bin:${PATH}`. */
const NUMBER = /\p{N}/u;
const NUMBER_OR_OPENING = /[\p{N}({]/u;
/** Signs that a formula of several words has, and a sentence between two prices has not. */
const FORMULA_SIGN = /[\\^_={}<>+]/;

/** Finds the ends of formulas. One pass indexes all closing delimiters, which keeps parsing linear. */
export class FormulaEnds {
  readonly #text: string;
  /** The positions of each closing delimiter, in reverse order. */
  readonly #places = new Map<string, number[]>();

  constructor(text: string, from: number) {
    this.#text = text;
    for (const { 0: token, index } of text.slice(from).matchAll(TOKEN)) {
      const places = this.#places.get(token) ?? [];
      places.push(from + index);
      this.#places.set(token, places);
    }
    for (const places of this.#places.values()) places.reverse();
  }

  /** The end of the formula that opens at `at`, if any. Calls must come in increasing order. */
  endOf(at: number): number | undefined {
    const start = at + DELIMITER_LENGTH;
    const close = this.#next(closingOf(this.#text.slice(at, start)) ?? '', start);
    const isEmpty = close === undefined || this.#text.slice(start, close).trim() === '';
    return isEmpty ? undefined : close + DELIMITER_LENGTH;
  }

  /** The end of the formula between single dollars that opens at `at`, if any; not for two prices in a sentence. */
  endOfDollar(at: number): number | undefined {
    const close = this.#next('$', at + 1);
    if (close === undefined || close - at >= MAX_BETWEEN_DOLLARS) return undefined;
    const inner = this.#text.slice(at + 1, close);
    if (inner.trim() !== inner || inner.includes('\n') || inner.includes('$')) return undefined;
    const [before, after] = [characterBefore(this.#text, at), characterAt(this.#text, close + 1)];
    if (isSpacedLetter(before) || NUMBER.test(before)) return undefined;
    if (isSpacedLetter(after) || NUMBER_OR_OPENING.test(after)) return undefined;
    // A sentence has several words, or letters without spaces between them.
    return FORMULA_SIGN.test(inner) || !(inner.includes(' ') || hasUnspaced(inner)) ? close + 1 : undefined;
  }

  #next(closing: string, from: number): number | undefined {
    const places = this.#places.get(closing) ?? [];
    while ((places.at(-1) ?? from) < from) places.pop();
    return places.at(-1);
  }
}

/** The closing delimiter for an opening one. */
export const closingOf = (token: string): string | undefined => closings.get(token);

/** The formulas of a text outside of code. */
export function formulasIn(text: string): { start: number; end: number }[] {
  const formulas: { start: number; end: number }[] = [];
  let ends: FormulaEnds | undefined;
  let spans: CodeSpans | undefined;
  let done = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN_OR_CODE)) {
    if (index < done) continue;
    if (token.startsWith('`')) {
      spans ??= new CodeSpans(text, index, text.length);
      done = (spans.closeOf(index, token.length) ?? index) + token.length;
    } else if (token === '$' || closings.has(token)) {
      ends ??= new FormulaEnds(text, index);
      const end = token === '$' ? ends.endOfDollar(index) : ends.endOf(index);
      if (end === undefined) continue;
      formulas.push({ start: index, end });
      done = end;
    }
  }
  return formulas;
}

/** The closing delimiter of the formula open at a line's end; `open` is that of a formula open at its start. */
export function openBehind(line: string, open: string | undefined): string | undefined {
  let closing = open;
  if (!MAY_DELIMIT.test(line)) return closing;
  let spans: CodeSpans | undefined;
  let done = 0;
  for (const { 0: token, index } of line.matchAll(TOKEN_OR_CODE)) {
    if (index < done) continue;
    if (closing === undefined && token.startsWith('`')) {
      spans ??= new CodeSpans(line, index, line.length);
      done = (spans.closeOf(index, token.length) ?? index) + token.length;
    } else if (closing === undefined) closing = closings.get(token);
    else if (token === closing) closing = undefined;
  }
  return closing;
}

export function hasClosing(line: string, closing: string): boolean {
  if (!line.includes(closing)) return false;
  for (const [token] of line.matchAll(TOKEN)) if (token === closing) return true;
  return false;
}

/** The TeX of a formula as written, and whether it stands on a line of its own. */
export function readFormula(text: string): { tex: string; isDisplay: boolean } {
  const length = text.startsWith('$') && !text.startsWith('$$') ? 1 : DELIMITER_LENGTH;
  return { tex: text.slice(length, -length).trim(), isDisplay: text.startsWith('$$') || text.startsWith('\\[') };
}
