// Pairs emphasis marks in linear time: by CommonMark's rules, but for scripts without spaces, for which they were not
// made. There punctuation beside a mark is as a letter is, and a letter beside it as a space is (TEXT-10).
import { isUnspaced } from './unspaced.ts';

type WrapKind = 'strong' | 'emphasis' | 'strike' | 'link' | 'image';

/** An element around a part of the text; both of its marks refer to it. */
export interface Wrap {
  readonly kind: WrapKind;
  /** The address of a link or image. */
  readonly url?: string;
  /** Nested too deeply: its marks stay text. */
  isLiteral?: boolean;
}

/** A run of one mark. */
export interface Run {
  readonly char: string;
  readonly start: number;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Number of characters not paired yet. */
  rest: number;
  /** From the left. */
  readonly closes: { wrap: Wrap; length: number }[];
  /** From the right. */
  readonly opens: { wrap: Wrap; length: number }[];
}

const SPACE = /[\s\p{Z}]|^$/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Reads the run of marks at a position; the surrounding characters decide whether it opens or closes. */
export function runAt(text: string, start: number): Run {
  const char = text[start] ?? '';
  let end = start + 1;
  while (text[end] === char) end += 1;
  const before = characterBefore(text, start);
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0x20);
  const [spaceBefore, spaceAfter] = [SPACE.test(before), SPACE.test(after)];
  const [markBefore, markAfter] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
  const separates = (markAfter && !spaceBefore && !markBefore) || (markBefore && !spaceAfter && !markAfter);
  const isBeside = separates && (isUnspaced(before) || isUnspaced(after));
  const opens = !spaceAfter && (!markAfter || spaceBefore || markBefore || isBeside);
  const closes = !spaceBefore && (!markBefore || spaceAfter || markAfter || isBeside);
  const isWordMark = char === '_';
  const length = end - start;
  // Only two tildes are a mark.
  const isMark = char !== '~' || length === 2;
  const canOpen = isMark && opens && (!isWordMark || !closes || markBefore);
  const canClose = isMark && closes && (!isWordMark || !opens || markAfter);
  return { char, start, length, canOpen, canClose, rest: length, closes: [], opens: [] };
}

/** Pairs the runs from index `from` on; returns those that still open something. */
export function pairRuns(runs: readonly Run[], from: number): Run[] {
  const openers: Run[] = [];
  /** By kind of closer: no matching opener exists below this index. */
  const floors = new Map<string, number>();
  for (let at = from; at < runs.length; at += 1) {
    const closer = runs[at];
    if (!closer) continue;
    if (closer.canClose) close(closer, openers, floors);
    if (closer.canOpen && closer.rest > 0) openers.push(closer);
  }
  return openers;
}

/** Closes what the runs open at the end of a text that goes on; returns the wraps, the innermost first. */
export function closeOpeners(openers: readonly Run[]): Wrap[] {
  const wraps: Wrap[] = [];
  for (const opener of openers.toReversed())
    while (opener.rest > 0) {
      const length = opener.rest >= 2 ? 2 : 1;
      const wrap: Wrap = { kind: kindOf(opener.char, length) };
      opener.opens.push({ wrap, length });
      opener.rest -= length;
      wraps.push(wrap);
    }
  return wraps;
}

const kindOf = (char: string, length: number): WrapKind =>
  char === '~' ? 'strike' : length === 2 ? 'strong' : 'emphasis';

function close(closer: Run, openers: Run[], floors: Map<string, number>): void {
  const key = `${closer.char}${closer.canOpen ? 1 : 0}${closer.length % 3}`;
  while (closer.rest > 0) {
    const found = findOpener(closer, openers, floors.get(key) ?? 0);
    const opener = openers[found];
    if (!opener) {
      floors.set(key, openers.length);
      return;
    }
    const length = opener.rest >= 2 && closer.rest >= 2 ? 2 : 1;
    const wrap: Wrap = { kind: kindOf(closer.char, length) };
    opener.opens.push({ wrap, length });
    closer.closes.push({ wrap, length });
    opener.rest -= length;
    closer.rest -= length;
    // Unpaired marks between the two stay text.
    openers.length = opener.rest > 0 ? found + 1 : found;
    for (const [other, floor] of floors) if (floor > openers.length) floors.set(other, openers.length);
  }
}

function findOpener(closer: Run, openers: readonly Run[], floor: number): number {
  for (let at = openers.length - 1; at >= floor; at -= 1) {
    const opener = openers[at];
    if (opener && opener.char === closer.char && fits(opener, closer)) return at;
  }
  return -1;
}

/** CommonMark's "multiple of three" rule. */
const fits = (opener: Run, closer: Run): boolean =>
  !(opener.canClose || closer.canOpen) ||
  (opener.length + closer.length) % 3 !== 0 ||
  (opener.length % 3 === 0 && closer.length % 3 === 0);

/** The code point before a position; '' at the start. */
export function characterBefore(text: string, at: number): string {
  const half = text.charCodeAt(at - 1);
  const isSecondHalf = half >= 0xdc00 && half <= 0xdfff;
  return text.slice(Math.max(0, isSecondHalf ? at - 2 : at - 1), at);
}
