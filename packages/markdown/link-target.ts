import { unescaped } from './entities.ts';

/** Maximum length of an address; longer ones stay text. */
const MAX_LENGTH = 4096;
const POINTED = /<([^<>\n\\`]*(?:\\[^\n][^<>\n\\`]*)*)>/y;
/** A target has no backticks: code that begins in it goes first. Each title ends at the first sign that could begin another one, so that many attempts read a text once. */
const TITLE = /[ \t\n]+(?:"[^"\\`]*(?:\\[^][^"\\`]*)*"|'[^'\\`]*(?:\\[^][^'\\`]*)*'|\([^()\\`]*(?:\\[^][^()\\`]*)*\))/y;
const SPACES = /[ \t\n]*/y;
/** What ends an address that has no brackets around it. */
// oxlint-disable-next-line no-control-regex -- they end an address too
const END = /[\u0000-\u0020\u007f`]/;

/** The targets of the links in a text. Calls must come in increasing order. */
export class LinkTargets {
  readonly #text: string;
  /** The end of the run without blanks that was read last. */
  #runEnd = 0;
  /** By opening parenthesis of that run: its closing one. */
  #closings = new Map<number, number>();
  /** The last opening parenthesis of that run that nothing closes. */
  #lastOpen = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Parses `(address "title")` from its bracket. */
  at(start: number): { address: string; end: number } | undefined {
    const text = this.#text;
    let at = start + 1 + lengthAt(SPACES, text, start + 1);
    const from = at;
    let address: string;
    if (text[at] === '<') {
      at += lengthAt(POINTED, text, at);
      if (at === from) return undefined;
      address = text.slice(from + 1, at - 1);
    } else {
      at = this.#bareEnd(start, at);
      address = text.slice(from, at);
    }
    at += lengthAt(TITLE, text, at);
    at += lengthAt(SPACES, text, at);
    return text[at] === ')' && at - start < MAX_LENGTH ? { address: unescaped(address), end: at + 1 } : undefined;
  }

  /** Parentheses in an address must be balanced: it ends before the one that closes `open`, or at a blank. */
  #bareEnd(open: number, from: number): number {
    // Behind blanks it is the beginning of a run, which is read for this address alone.
    const first = from === open + 1 ? open : from;
    if (first >= this.#runEnd) this.#readRun(first);
    if (first !== open) return this.#unopened ?? (this.#lastOpen < 0 ? this.#runEnd : from);
    return this.#closings.get(open) ?? (this.#lastOpen === open ? this.#runEnd : from);
  }

  /** The first closing parenthesis of the run that nothing in it opens. */
  #unopened: number | undefined;

  #readRun(start: number): void {
    const text = this.#text;
    const open: number[] = [];
    this.#closings = new Map();
    this.#unopened = undefined;
    let at = start;
    for (; at < text.length && !END.test(text.charAt(at)); at += 1) {
      const char = text[at];
      if (char === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))) at += 1;
      else if (char === '(') open.push(at);
      else if (char === ')') {
        const opening = open.pop();
        if (opening === undefined) this.#unopened ??= at;
        else this.#closings.set(opening, at);
      }
    }
    this.#runEnd = Math.min(at, text.length);
    this.#lastOpen = open.at(-1) ?? -1;
  }
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
