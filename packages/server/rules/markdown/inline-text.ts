import type { Range } from './blocks.ts';
import { runLength } from './lines.ts';
import { codeAndTags } from './prose.ts';

const PUNCTUATION = /[!-/:-@[-`{-~\p{P}\p{S}]/u;
const SPACE = /\s/;
const MARKS = /[\\![\]<*_~]/;
const HEADING = /^#{1,6}(?=[ \t]|$)/;
// What makes a text a link, at its end: an address or the name of one.
const LINK_END = /\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\][\n]*\]/y;
const AUTOLINK = /<([a-z][a-z0-9+.-]*:[^<>\s]*|[^<>\s@]+@[^<>\s@]+)>/iy;
const MAX_LINK = 2_048;
const MAX_PIECES = 4_096;

/** The text of a paragraph or a heading without its marks. */
export class InlineText {
  readonly #text: string;
  readonly #block: Range;
  /** What is left of the text; a mark is emptied once its partner is found. */
  readonly #pieces: string[] = [];
  /** Open runs of emphasis and open brackets: places in `#pieces`. */
  readonly #open = new Map<string, number[]>();
  /** How much of the text that stays in any case is still wanted. */
  #wanted: number;

  constructor(text: string, block: Range, wanted: number) {
    this.#text = text;
    this.#block = block;
    this.#wanted = wanted;
  }

  read(): string {
    const { start, end } = this.#block;
    const heading = HEADING.exec(this.#text.slice(start, Math.min(end, start + 8)));
    let at = start + (heading?.[0].length ?? 0);
    for (const span of codeAndTags(this.#text, this.#block)) {
      if (this.#wanted <= 0) break;
      if (span.start < at) continue;
      this.#prose(at, span.start);
      if (this.#text[span.start] === '`') this.#say(this.#code(span));
      at = span.end;
    }
    this.#prose(at, end);
    const plain = this.#pieces.join('');
    // Lines that follow in a quote begin with its mark again.
    return plain.replaceAll(/\n[ \t]*>[> \t]*/g, '\n');
  }

  #say(text: string): void {
    this.#pieces.push(text);
    this.#wanted -= text.length;
  }

  #code({ start, end }: Range): string {
    const run = runLength(this.#text, start, end);
    return this.#text.slice(start + run, end - run).trim();
  }

  #prose(from: number, to: number): void {
    let said = from;
    let at = from;
    while (at < to && at - said < this.#wanted) {
      const isMark = MARKS.test(this.#text.charAt(at));
      if (!isMark) {
        at += 1;
        continue;
      }
      if (at > said) this.#say(this.#text.slice(said, at));
      said = at = this.#mark(at, to);
    }
    if (at > said) this.#say(this.#text.slice(said, at));
  }

  /** Reads what may be a mark; answers where it ends. */
  #mark(at: number, to: number): number {
    const text = this.#text;
    const next = at + 1 < to ? text.charAt(at + 1) : '';
    switch (text[at]) {
      case '\\': {
        const isEscape = next === '\n' || (next <= '~' && PUNCTUATION.test(next));
        this.#say(isEscape ? next : '\\');
        return isEscape ? at + 2 : at + 1;
      }
      case '!':
      case '[': {
        const mark = text[at] === '[' ? '[' : `!${next}`;
        if (mark !== '[' && mark !== '![') {
          this.#say('!');
          return at + 1;
        }
        this.#opens('[', mark);
        return at + mark.length;
      }
      case ']':
        return this.#closesLink(at, to);
      case '<': {
        AUTOLINK.lastIndex = at;
        const [whole = '', link = ''] = AUTOLINK.exec(text) ?? [];
        const isLink = whole !== '' && at + whole.length <= to;
        this.#say(isLink ? link : '<');
        return isLink ? at + whole.length : at + 1;
      }
      default: {
        const end = at + runLength(text, at, to);
        this.#emphasis({ start: at, end });
        return end;
      }
    }
  }

  /** A run of `*`, `_` or `~~`, by CommonMark's rule of flanking; one of the same length closes it. */
  #emphasis({ start, end }: Range): void {
    const text = this.#text;
    const char = text.charAt(start);
    const run = text.slice(start, end);
    const before = start > this.#block.start ? text.charAt(start - 1) : ' ';
    const after = end < this.#block.end ? text.charAt(end) : ' ';
    const isTilde = char === '~';
    if (isTilde && run.length !== 2) return this.#say(run);
    const leftFlanking = !SPACE.test(after) && (!PUNCTUATION.test(after) || isEdge(before));
    const rightFlanking = !SPACE.test(before) && (!PUNCTUATION.test(before) || isEdge(after));
    const isWithinWord = char === '_' && leftFlanking && rightFlanking;
    const canClose = rightFlanking && (!isWithinWord || PUNCTUATION.test(after));
    const canOpen = leftFlanking && (!isWithinWord || PUNCTUATION.test(before));
    const opener = canClose ? this.#open.get(run)?.pop() : undefined;
    if (opener !== undefined) this.#pieces[opener] = '';
    else if (canOpen) this.#opens(run, run);
    else this.#say(run);
    return undefined;
  }

  #opens(kind: string, mark: string): void {
    // A text of nothing but marks is not waited for.
    if (this.#pieces.length > MAX_PIECES) return this.#say(mark);
    const open = this.#open.get(kind);
    if (open) open.push(this.#pieces.length);
    else this.#open.set(kind, [this.#pieces.length]);
    this.#pieces.push(mark);
    return undefined;
  }

  /** Answers where to read on behind a `]`: past the address, if it ends a link's text. */
  #closesLink(at: number, to: number): number {
    const opener = this.#open.get('[')?.pop();
    LINK_END.lastIndex = 0;
    const end = opener !== undefined ? LINK_END.exec(this.#text.slice(at + 1, Math.min(to, at + MAX_LINK))) : null;
    if (opener !== undefined && end) {
      this.#pieces[opener] = '';
      return at + 1 + end[0].length;
    }
    this.#say(']');
    return at + 1;
  }
}

const isEdge = (char: string): boolean => SPACE.test(char) || PUNCTUATION.test(char);
