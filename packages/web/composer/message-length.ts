// The service's limit for people: 32 KiB in UTF-8.
import { t } from '../words/t.ts';

const MAX_BYTES = 32 * 1024;
/** The note appears from this length on, in bytes. */
const SAID_FROM = MAX_BYTES * 0.9;
const encoder = new TextEncoder();

/** The note about a text's length; null while there is enough room. */
export function lengthNote(text: string): { isOver: boolean; note: string } | null {
  // A UTF-16 unit takes at most 3 bytes, so most texts need no exact count.
  if (text.length * 3 < SAID_FROM) return null;
  const bytes = encoder.encode(text).length;
  if (bytes < SAID_FROM) return null;
  const count = Math.abs(MAX_BYTES - bytes);
  return bytes > MAX_BYTES
    ? {
        isOver: true,
        note: t(
          'Too long by about {count, plural, one {# character} other {# characters}}. Split it, or send it as a file.',
          { count },
        ),
      }
    : { isOver: false, note: t('{count, plural, one {# character} other {# characters}} left', { count }) };
}

/** A pasted text above this many bytes becomes a file. */
const LONG_PASTE_BYTES = 8 * 1024;

export const isLongPaste = (text: string): boolean =>
  text.length * 3 > LONG_PASTE_BYTES && encoder.encode(text).length > LONG_PASTE_BYTES;
