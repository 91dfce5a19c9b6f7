// Markdoc's grammar of tags, restricted to plain values: a text with functions or variables is not a tag.
import type { Attributes, Value } from './tree.ts';

/** Maximum depth of lists and records in a value; a text with a deeper value is not a tag. */
const MAX_DEPTH = 6;
const SPACE = /[ \n\t]/y;
const SPACES = /[ \n\t]+/y;
const NAME = /[\w-]+/y;
const CONSTANT = /null|true|false/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
// eslint-disable-next-line no-control-regex -- a string contains no control characters but line breaks and tabs
const STRING = /"[^"\\\u0000-\u0008\u000b-\u001f]*(?:\\["\\nrt][^"\\\u0000-\u0008\u000b-\u001f]*)*"/y;
const constants: Readonly<Record<string, Value>> = { null: null, true: true, false: false };
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The attributes of a tag, given what follows its name; undefined if the grammar does not allow it. */
export function attributesOf(text: string): Attributes | undefined {
  return new TagReader(text).read();
}

class TagReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Attributes | undefined {
    const attributes: [name: string, value: Value][] = [];
    this.#take(SPACES);
    // A value without a name may stand first, with at most one space after it.
    const primary = this.#orBack(() => this.#value(0));
    if (primary !== undefined) this.#take(SPACE);
    if (primary) attributes.push(['primary', primary]);
    for (let next = this.#orBack(() => this.#attribute()); next;) {
      if (!next.isClass) attributes.push([next.name, next.value]);
      next = this.#orBack(() => (this.#take(SPACES) === undefined ? undefined : this.#attribute()));
    }
    this.#take(SPACES);
    this.#sign('/');
    return this.#at === this.#text.length ? Object.fromEntries(attributes) : undefined;
  }

  /** What `read` found; if it found nothing, reading continues where it began. */
  #orBack<Found>(read: () => Found | undefined): Found | undefined {
    const before = this.#at;
    const found = read();
    if (found === undefined) this.#at = before;
    return found;
  }

  /** `name=value`, `#id` or `.class`. */
  #attribute(): { name: string; value: Value; isClass?: boolean } | undefined {
    const isClass = this.#sign('.');
    const isId = !isClass && this.#sign('#');
    const name = this.#take(NAME);
    if (name === undefined) return undefined;
    if (isClass) return { name, value: true, isClass };
    if (isId) return { name: 'id', value: name };
    const value = this.#sign('=') ? this.#value(0) : undefined;
    return value === undefined ? undefined : { name, value };
  }

  #value(depth: number): Value | undefined {
    const constant = this.#take(CONSTANT);
    if (constant !== undefined) return constants[constant];
    const number = this.#take(NUMBER);
    if (number !== undefined) return Number(number);
    if (depth < MAX_DEPTH) {
      if (this.#sign('[')) return this.#list(depth + 1);
      if (this.#sign('{')) return this.#record(depth + 1);
    }
    return this.#string();
  }

  #string(): string | undefined {
    const string = this.#take(STRING);
    return string?.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => escapes[char] ?? char);
  }

  #list(depth: number): Value | undefined {
    const values: Value[] = [];
    const isWhole = this.#items(']', () => {
      const value = this.#value(depth);
      if (value !== undefined) values.push(value);
      return value !== undefined;
    });
    return isWhole ? values : undefined;
  }

  #record(depth: number): Value | undefined {
    const entries: [name: string, value: Value][] = [];
    const isWhole = this.#items('}', () => {
      const name = this.#take(NAME) ?? this.#string();
      if (name === undefined || !this.#sign(':')) return false;
      this.#take(SPACES);
      const value = this.#value(depth);
      if (value !== undefined) entries.push([name, value]);
      return value !== undefined;
    });
    return isWhole ? Object.fromEntries(entries) : undefined;
  }

  /** Items between commas up to the closing sign; a comma may follow the last one. */
  #items(closing: string, item: () => boolean): boolean {
    this.#take(SPACES);
    while (!this.#sign(closing)) {
      if (!item()) return false;
      this.#take(SPACES);
      if (!this.#sign(',')) return this.#sign(closing);
      this.#take(SPACES);
    }
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #sign(char: string): boolean {
    const isThere = this.#text[this.#at] === char;
    if (isThere) this.#at += 1;
    return isThere;
  }
}
