import { invalid } from './errors.ts';

/** Maximum values and keys in the JSON of a request: parsing millions of tiny ones would block the loop (ERR-12). */
const MAX_PARTS = 50_000;
/** JSON up to this size cannot have too many parts, so they are not counted. */
const SMALL_BYTES = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Parses the JSON of a request. Throws SyntaxError if it is malformed, invalid_argument if it has too many parts. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length > SMALL_BYTES && hasTooManyParts(bytes)) throw invalid('body', 'contains too many values');
  return JSON.parse(bytes.toString());
}

function hasTooManyParts(bytes: Buffer): boolean {
  let parts = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA || byte === COLON || byte === OPEN_BRACKET || byte === OPEN_BRACE) parts += 1;
    if (parts > MAX_PARTS) return true;
  }
  return false;
}

/** The position of the quote that closes the string starting at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}
