// The passages that a reply may cite: parts with numbers, which its text names in brackets (KNOW-11).
import type { PartOf } from '@parley/protocol';
import type { LiveStream } from '../../replies/live-stream.ts';
import { cutTo } from '../../rules/reply-parts.ts';
import { hasRoom } from '../reply-writer.ts';

type Citation = PartOf<'citation'>;
type Passage = Omit<Citation, 'id' | 'offset' | 'type' | 'number'>;

/** Maximum passages that a reply may cite: parts are for everything that it shows. */
const MAX_CITATIONS = 64;
/** Bytes that the titles and headings of a part have at most. */
const MAX_BYTES = 256;
/** Bytes of parts that stay free for what else the reply shows. */
const FREE_BYTES = 16 * 1024;

/**
 * The number of a passage, under which the reply lists it; the same one for the same place. Null if the reply has no room
 * for it, or has ended.
 */
export function cite(stream: LiveStream, passage: Passage): number | null {
  const { title, heading, ...rest } = passage;
  const given: Passage = {
    ...rest,
    title: cutTo(title, MAX_BYTES),
    ...(heading !== undefined && { heading: cutTo(heading, MAX_BYTES) }),
  };
  const listed = (stream.parts ?? []).filter((part) => part.type === 'citation');
  const known = listed.find((part) => isSame(part, given));
  if (known) return known.number;
  const number = listed.reduce((most, part) => Math.max(most, part.number), 0) + 1;
  if (number > MAX_CITATIONS || !stream.takesText) return null;
  const part: Citation = { id: `citation-${number}`, offset: stream.bytes, type: 'citation', number, ...given };
  if (!hasRoom(() => stream.putPart(part, FREE_BYTES))) return null;
  // The model was told the number: a request that is repeated must not give it to another passage.
  stream.keepParts();
  return number;
}

const isSame = (one: Passage, other: Passage): boolean =>
  one.source_id === other.source_id && one.page === other.page && one.heading === other.heading;
