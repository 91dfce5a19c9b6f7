import { linkAddress } from './addresses.ts';
import { characterBefore } from './emphasis.ts';
import { characterAt, isSpacedLetter, isUnspaced, isUnspacedLetter } from './unspaced.ts';

const START = /(?:https?:\/\/|www\.)/iy;
const ASCII_RUN = /[^\s<>"`{}|\\^[\]\u0080-\uffff]*/y;
/** Brackets and quotation marks end an address in running text, and so does punctuation of scripts without spaces. */
const ENDING = /[\s\u2018-\u201f\u2039\u203a\u00ab\u00bb]/;
const PART = /[/?#&=]/;
const TRAILING = /[.,:;!?'*_~]|[\p{P}--[\0-\x7f]]/v;
/** A character reference at the end of an address, and the most characters that it has. */
const ENTITY = /&[A-Za-z\d]+;$/;
const LONGEST_ENTITY = 33;

/** An address without marks around it. `end` is where parsing continues, even if there is no address. */
export function bareAddressAt(text: string, start: number): { url: string | undefined; end: number } {
  const none = { url: undefined, end: start + 1 };
  if (isSpacedLetter(characterBefore(text, start))) return none;
  const end = addressEnd(text, start);
  if (end === undefined) return none;
  const found = text.slice(start, end);
  const shown = found.slice(0, shownLength(found));
  const url = linkAddress(/^www\./i.test(shown) ? `https://${shown}` : shown);
  const hasDot = !/^www\./i.test(shown) || /^www\.[^./]+\.[^./]/i.test(shown);
  return url !== undefined && hasDot
    ? { url, end: start + shown.length }
    : { url: undefined, end: start + found.length };
}

/**
 * Where an address ends, with what may trail it. A letter of a script without spaces belongs to an address if it begins a
 * part of it, as in `/wiki/中国`, with those behind it; elsewhere, and directly behind the slash after a host of other letters, it
 * begins the next word.
 */
function addressEnd(text: string, start: number): number | undefined {
  const from = start + lengthAt(START, text, start);
  let at = from;
  let hostEnd: number | undefined;
  let isInLetters = false;
  let hasOwnHost = false;
  for (;;) {
    const run = runLength(text, at);
    if (!isUnspaced(characterAt(text, at + run))) return at + run > from ? at + run : undefined;
    for (let place = at; place < at + run; place += 1) {
      if (!PART.test(text.charAt(place))) continue;
      hostEnd ??= place;
      isInLetters = false;
    }
    at += run;
    const before = text.charAt(at - 1);
    const beginsPart =
      at === from || (hostEnd === undefined ? before === '.' : PART.test(before) && (at - 1 > hostEnd || hasOwnHost));
    const letters = isInLetters || beginsPart ? lettersLength(text, at) : 0;
    if (letters === 0) return at > from ? at : undefined;
    isInLetters = true;
    hasOwnHost ||= hostEnd === undefined;
    at += letters;
  }
}

/** The length of an address from a position on, as far as it has no letters of scripts without spaces. */
function runLength(text: string, start: number): number {
  for (let at = start; ;) {
    at += lengthAt(ASCII_RUN, text, at);
    const next = characterAt(text, at);
    if (next < '\u0080' || isUnspaced(next) || ENDING.test(next)) return at - start;
    at += next.length;
  }
}

function lettersLength(text: string, start: number): number {
  for (let at = start; ;) {
    const next = characterAt(text, at);
    if (!isUnspacedLetter(next)) return at - start;
    at += next.length;
  }
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Strips trailing punctuation, character references, and closing brackets that were opened before the address. */
function shownLength(found: string): number {
  let length = found.length;
  let surplus = 0;
  for (const char of found) surplus += char === ')' ? 1 : char === '(' ? -1 : 0;
  for (;;) {
    const last = found.charAt(length - 1);
    if (last === ')' && surplus > 0) surplus -= 1;
    else if (!TRAILING.test(last)) return length;
    const entity = last === ';' ? ENTITY.exec(found.slice(Math.max(0, length - LONGEST_ENTITY), length)) : null;
    length -= entity?.[0].length ?? 1;
  }
}
