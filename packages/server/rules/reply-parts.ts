import { limits, type Part, type PartCause, type ToolStatus } from '@parley/protocol';

/** A notice of the service about a reply: in English, and as data (PART-22). */
export interface Notice {
  text: string;
  /** Absent where there is no word for it but the text. */
  cause?: PartCause;
}

/** A part that has not ended: what became of it is not known if its reply ends first. */
const isOpen = (part: Part): boolean =>
  part.type === 'tool' && (part.status === 'pending' || part.status === 'needs_approval' || part.status === 'running');

/** The place of a part in a text: within a character it is the character's beginning, beyond the text its end. */
function placeIn(text: Buffer, offset: number): number {
  let at = Math.min(offset, text.length);
  // 10xxxxxx is a further byte of a character.
  while (at > 0 && at < text.length && ((text[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** The beginning of a text, of at most so many bytes. */
export function cutTo(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes ? text : bytes.subarray(0, placeIn(bytes, maxBytes)).toString();
}

/** Parts whose places are in the text, as every finished message has them (PART-2). */
export function placedIn(content: string, parts: readonly Part[]): readonly Part[] {
  const text = Buffer.from(content);
  return parts.map((part) => {
    const offset = placeIn(text, part.offset);
    return offset === part.offset ? part : { ...part, offset };
  });
}

/**
 * The parts of a reply that ends with this text: every part ends with its reply (PART-11). `calls`: what the ledger says
 * of the service's own calls, by their ids, since the parts may be older, as after a crash (CALL-6). Without a word of it
 * a call of the service's that nobody had allowed was not carried out (WAIT-6); of any other nobody knows.
 */
export const endedParts = (
  content: string,
  parts: readonly Part[],
  calls?: ReadonlyMap<string, ToolStatus>,
): readonly Part[] =>
  placedIn(content, parts).map((part) => {
    if (part.type !== 'tool') return part;
    const known = part.call_id === undefined ? undefined : calls?.get(part.call_id);
    if (known !== undefined) return known === part.status ? part : { ...part, status: known };
    if (!isOpen(part)) return part;
    return { ...part, status: part.call_id !== undefined && part.status !== 'running' ? 'denied' : 'unknown' };
  });

/** The parts of a reply that waits for people: what has not ended waits for them (WAIT-1). */
export const waitingParts = (content: string, parts: readonly Part[]): readonly Part[] =>
  placedIn(content, parts).map((part) =>
    part.type === 'tool' && isOpen(part) ? { ...part, status: 'needs_approval' } : part,
  );

/** What a forwarded copy keeps: where its text comes from, not how it was made (PART-12). */
export const forwardedParts = (parts: readonly Part[] | undefined): readonly Part[] | undefined => {
  const sources = parts?.filter(({ type }) => type === 'source') ?? [];
  return sources.length === 0 ? undefined : sources;
};

/** The JSON of a value in bytes; 0 for undefined, which has none. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Whether a message may have so many parts with so many bytes of JSON (PART-9). */
export const fitsParts = (count: number, bytes: number): boolean =>
  count <= limits.partsPerMessage && bytes <= limits.partsBytes;
