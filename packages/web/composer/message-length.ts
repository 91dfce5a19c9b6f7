// As the service counts: UTF-8, 32 KiB from a person.
const MOST_BYTES = 32 * 1024;
/** From here on it is said how much is left. */
const SAID_FROM = MOST_BYTES * 0.9;
const encoder = new TextEncoder();

/** What to tell of a text's length; null while there is room enough. */
export function lengthNote(text: string): { isOver: boolean; note: string } | null {
  // A UTF-16 unit is at most 3 bytes: most texts need not be counted.
  if (text.length * 3 < SAID_FROM) return null;
  const bytes = encoder.encode(text).length;
  if (bytes < SAID_FROM) return null;
  const count = Math.abs(MOST_BYTES - bytes).toLocaleString('en');
  return bytes > MOST_BYTES
    ? { isOver: true, note: `Too long by about ${count} letters. Send it in parts, or as a file.` }
    : { isOver: false, note: `${count} letters left` };
}
