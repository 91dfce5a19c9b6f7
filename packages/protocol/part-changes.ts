// How parts change, for the service and for clients. The client SDK bundles this file, so it imports no zod (SDK-23).
import { byteLength } from './byte-length.ts';
import type { Part, PartChange, PartGrowth, PartOf } from './parts.ts';

/** UTF-8 lengths of reasoning texts, which grow by small pieces and are asked for with each of them. */
const textLengths = new WeakMap<PartOf<'reasoning'>, number>();

/** The length in bytes of a reasoning part's text. */
export function reasoningBytes(part: PartOf<'reasoning'>): number {
  const known = textLengths.get(part);
  if (known !== undefined) return known;
  const bytes = byteLength(part.text);
  textLengths.set(part, bytes);
  return bytes;
}

export const isGrowth = (change: PartChange): change is PartGrowth => 'append' in change;

/** A reasoning part with more text. */
export function grown(part: PartOf<'reasoning'>, { append, text_offset, duration_ms: ms }: PartGrowth) {
  const longer = { ...part, text: part.text + append, ...(ms !== undefined && { duration_ms: ms }) };
  textLengths.set(longer, text_offset);
  return longer;
}

/**
 * The parts of a message after `events.messagePart`; unchanged if they contain the change already. Null if the change
 * continues a text that is not there (PART-4).
 */
export function withPart(parts: readonly Part[] | undefined, change: PartChange): readonly Part[] | null {
  const list = parts ?? [];
  const at = list.findIndex((part) => part.id === change.id);
  const known = list[at];
  if (!isGrowth(change)) return known ? list.with(at, change) : [...list, change];
  if (known?.type !== 'reasoning') return null;
  const bytes = reasoningBytes(known);
  if (change.text_offset > bytes) {
    if (change.text_offset - byteLength(change.append) !== bytes) return null;
    return list.with(at, grown(known, change));
  }
  // The text is there already; the duration may be new.
  const { duration_ms = known.duration_ms } = change;
  if (duration_ms === known.duration_ms) return list;
  return list.with(at, grown(known, { id: change.id, append: '', text_offset: bytes, duration_ms }));
}
