import { linkAddress } from './addresses.ts';
import { characterBefore } from './emphasis.ts';

// Characters that end an address in running text.
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"`{}|\\^[\]\u3000-\u303f\uff00-\uffef]+/iy;
const TRAILING = /[.,:;!?'*_~]/;
const WORD = /[\p{L}\p{Nd}_]/u;

/** An address without marks around it. `end` is where parsing continues, even if there is no address. */
export function bareAddressAt(text: string, start: number): { url: string | undefined; end: number } {
  const none = { url: undefined, end: start + 1 };
  if (WORD.test(characterBefore(text, start))) return none;
  ADDRESS.lastIndex = start;
  const found = ADDRESS.exec(text)?.[0];
  if (found === undefined) return none;
  const shown = found.slice(0, shownLength(found));
  const url = linkAddress(/^www\./i.test(shown) ? `https://${shown}` : shown);
  const hasDot = !/^www\./i.test(shown) || /^www\.[^./]+\.[^./]/i.test(shown);
  return url !== undefined && hasDot
    ? { url, end: start + shown.length }
    : { url: undefined, end: start + found.length };
}

/** Strips trailing punctuation, and closing brackets that were opened before the address. */
function shownLength(found: string): number {
  let length = found.length;
  let surplus = 0;
  for (const char of found) surplus += char === ')' ? 1 : char === '(' ? -1 : 0;
  for (;;) {
    const last = found.charAt(length - 1);
    if (last === ')' && surplus > 0) surplus -= 1;
    else if (!TRAILING.test(last)) return length;
    length -= 1;
  }
}
