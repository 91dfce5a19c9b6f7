/** Maximum length of an address; longer ones stay text. */
const MOST_LENGTH = 4096;
// A target contains no backticks: a code span that begins in it takes precedence over the link.
const BARE = /[^\s()<>\\[\]`]*/y;
const POINTED = /<([^<>\n[\]`]*)>/y;
// Titles cannot contain brackets, so a failed attempt is not scanned again for the next `](`.
const TITLE = /[ \t]+(?:"[^"\n[\]`]*"|'[^'\n[\]`]*'|\([^()\n[\]`]*\))/y;
const SPACES = /[ \t]*/y;

/** Parses `(address "title")` from its bracket. */
export function linkTargetAt(text: string, start: number): { address: string; end: number } | undefined {
  let at = start + 1 + (matchAt(SPACES, text, start + 1)?.[0].length ?? 0);
  let address: string | undefined;
  const pointed = matchAt(POINTED, text, at);
  if (pointed) {
    address = pointed[1] ?? '';
    at += pointed[0].length;
  } else {
    const end = bareEnd(text, at);
    address = text.slice(at, end);
    at = end;
  }
  at += matchAt(TITLE, text, at)?.[0].length ?? 0;
  at += matchAt(SPACES, text, at)?.[0].length ?? 0;
  return text[at] === ')' && at - start < MOST_LENGTH ? { address, end: at + 1 } : undefined;
}

/** Parentheses in an address must be balanced. */
function bareEnd(text: string, start: number): number {
  let at = start;
  let depth = 0;
  for (;;) {
    at += matchAt(BARE, text, at)?.[0].length ?? 0;
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')' && depth > 0) depth -= 1;
    else return at;
    at += 1;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
