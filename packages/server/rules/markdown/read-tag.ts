// A component tag of a message, by its markup from `{%` to `%}`.

export interface MessageTag {
  name: string;
  /** Texts and numbers, these as JavaScript writes them; other values are left out. */
  attributes: ReadonlyMap<string, string>;
}

const HEAD = /\{%\s*([a-z][\w-]*)(?=[\s/%])/y;
/** A value without a name may stand first: the label of a button. */
const PRIMARY = /\s+(?=["[{]|(?:-?\d+(?:\.\d+)?|true|false|null)[\s/%])/y;
/** `name=`, or a shortcut: `#id`, `.class`. */
const NAME = /\s+(?:([\w-]+)=|([#.])([\w-]+))/y;
const STRING = /"((?:[^"\\]|\\[\s\S])*)"/y;
const PLAIN = /-?\d+(?:\.\d+)?|true|false|null/y;
/** Up to the next quote or bracket of a list or an object. */
const INNER = /[^"[\]{}]*/y;
const END = /\s*\/?%\}$/y;

/** Undefined for malformed markup, and for end tags. */
export function readTag(markup: string): MessageTag | undefined {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(markup);
    if (match) at += match[0].length;
    return match;
  };
  const name = take(HEAD)?.[1];
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  if (take(PRIMARY) && !take(STRING) && !take(PLAIN) && !skipNested(take)) return undefined;
  for (let next = take(NAME); next; next = take(NAME)) {
    const [, key = '', shortcut, short = ''] = next;
    if (shortcut !== undefined) {
      if (shortcut === '#') attributes.set('id', short);
      continue;
    }
    const string = take(STRING);
    const plain = string ? undefined : take(PLAIN)?.[0];
    if (!string && plain === undefined && !skipNested(take)) return undefined;
    const number = Number(plain);
    // Of two attributes of one name the last one counts, in the app too.
    if (string) attributes.set(key, unescaped(string[1] ?? ''));
    else if (Number.isNaN(number)) attributes.delete(key);
    else attributes.set(key, String(number));
  }
  return take(END) ? { name, attributes } : undefined;
}

/** Moves past a list or an object, whose strings may hold anything. */
function skipNested(take: (pattern: RegExp) => RegExpExecArray | null): boolean {
  let depth = 0;
  do {
    if (take(/[[{]/y)) depth += 1;
    else if (take(/[\]}]/y)) depth -= 1;
    else if (depth === 0 || !take(STRING)) return false;
    if (depth > 0) take(INNER);
  } while (depth > 0);
  return true;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (_whole, char: string) => escapes[char] ?? char);
