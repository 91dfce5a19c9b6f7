import { normalized } from '@parley/markdown';
import type { Part, PartOf } from '@parley/protocol';

const encoder = new TextEncoder();

type Source = PartOf<'source'>;
/** A part that stands between blocks; sources and citations stand at the end of the message. */
export type InnerPart = Exclude<Part, Source | PartOf<'citation'>>;

interface PlacedParts {
  /** By the index of the block before which they stand: the first one that begins at or after their offset. */
  readonly before: ReadonlyMap<number, readonly InnerPart[]>;
  readonly sources: readonly Source[];
  /** The id of the newest part, if no text follows it: only this one can still be at work. */
  readonly lastId: string | null;
}

/** Where the parts of a message stand. `starts`: where its blocks begin in the normalized text. */
export function placedParts(parts: readonly Part[], content: string, starts: readonly number[]): PlacedParts {
  const before = new Map<number, InnerPart[]>();
  const sources: Source[] = [];
  const newest = parts.at(-1);
  const hasReturns = content.includes('\r');
  let [bytes, length, at] = [0, 0, 0];
  let lastId: string | null = null;
  for (const part of parts.toSorted((one, other) => one.offset - other.offset)) {
    // The UTF-16 length of the text before the offset. An offset within a character counts as its beginning.
    const rest = content.slice(length);
    const room = new Uint8Array(Math.min(part.offset - bytes, rest.length * 3));
    const { read, written } = encoder.encodeInto(rest, room);
    length += read;
    bytes += written;
    if (part === newest && content.slice(length).trim() === '') lastId = part.id;
    if (part.type === 'source') {
      sources.push(part);
      continue;
    }
    if (part.type === 'citation') continue;
    const place = hasReturns ? normalized(content.slice(0, length)).length : length;
    while (at < starts.length && (starts[at] ?? 0) < place) at += 1;
    const group = before.get(at);
    if (group) group.push(part);
    else before.set(at, [part]);
  }
  return { before, sources, lastId };
}
