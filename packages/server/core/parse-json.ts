import { invalid } from './errors.ts';

/** Maximum values and keys in the JSON of a request: parsing millions of tiny ones would block the loop (ERR-12). */
export const MAX_PARTS = 50_000;

/** Maximum levels of lists and objects in the JSON of a request: deep ones take far longer to parse than wide ones. */
const MAX_DEPTH = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/**
 * Parses the JSON of a request. `admit` is first given the number of its values and keys, and may throw. Throws
 * SyntaxError if the JSON is malformed, invalid_argument if it has too many parts or levels.
 */
export function parseJson(bytes: Buffer, admit: (parts: number) => void = () => {}): unknown {
  const { parts, depth } = measure(bytes);
  admit(parts);
  if (parts > MAX_PARTS) throw invalid('body', 'contains too many values');
  if (depth > MAX_DEPTH) throw invalid('body', 'is nested too deeply');
  return JSON.parse(bytes.toString());
}

/** The number of values and keys and of levels, counted until one is above its maximum. */
function measure(bytes: Buffer): { parts: number; depth: number } {
  let parts = 0;
  let level = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length && parts <= MAX_PARTS && depth <= MAX_DEPTH; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA || byte === COLON) parts += 1;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      parts += 1;
      level += 1;
      depth = Math.max(depth, level);
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) level -= 1;
  }
  return { parts, depth };
}

/** The position of the quote that closes the string starting at `start`, read byte by byte: each may be escaped. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
