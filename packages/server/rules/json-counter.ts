const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Counts the lists, objects and keys of JSON as its bytes arrive, before anything parses it: what takes long to read has
 * many of them, not many bytes. Works for JSON and for streams of events that carry JSON.
 */
export class JsonCounter {
  #isInText = false;
  #isEscaped = false;

  /** How many begin in these bytes, which follow those before. */
  count(bytes: Uint8Array): number {
    let seen = 0;
    const inText = [QUOTE, BACKSLASH, LINE_FEED, RETURN].map((code) => nextIn(bytes, code));
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      // No text of JSON goes on in another line, so a stray quote in a line of events hides nothing behind it.
      if (byte === LINE_FEED || byte === RETURN) this.#isInText = this.#isEscaped = false;
      else if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInText) {
        if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
        // A long text, such as a picture, is passed over at once.
        else at = Math.min(...inText.map((next) => next(at))) - 1;
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === COLON || byte === LIST || byte === OBJECT) seen += 1;
    }
    return seen;
  }
}

/** Finds the next place of a byte from a place on; places only grow. The length if there is none. */
function nextIn(bytes: Uint8Array, code: number): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const at = bytes.indexOf(code, from);
      found = at === -1 ? bytes.length : at;
    }
    return found;
  };
}

/** Maximum lists, objects and keys of JSON that is parsed where everybody waits. */
export const MAX_JSON_VALUES = 50_000;

/** Whether JSON has more values than are parsed at once. */
export function hasTooManyValues(json: string | Uint8Array): boolean {
  if (json.length <= MAX_JSON_VALUES) return false;
  return new JsonCounter().count(typeof json === 'string' ? Buffer.from(json) : json) > MAX_JSON_VALUES;
}
