import type { EventParams, Part } from '@parley/protocol';

const encoder = new TextEncoder();
/** UTF-8 length in bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length;

/** The parts of a reply after a change; null if it continues a text that the reply does not have (PART-4). */
export function withPart(
  parts: readonly Part[] = [],
  change: EventParams<'messagePart'>['part'],
): readonly Part[] | null {
  const at = parts.findIndex(({ id }) => id === change.id);
  const known = parts[at];
  let part: Part;
  if (!('append' in change)) part = change;
  else {
    const { append, text_offset, duration_ms } = change;
    if (known?.type !== 'reasoning') return null;
    const missing = text_offset - byteLength(known.text);
    if (missing < 0) return parts;
    const text = missing === 0 ? known.text : known.text + append;
    if (missing !== 0 && missing !== byteLength(append)) return null;
    part = { ...known, text, ...(duration_ms !== undefined && { duration_ms }) };
  }
  return known ? parts.map((one) => (one === known ? part : one)) : [...parts, part];
}
