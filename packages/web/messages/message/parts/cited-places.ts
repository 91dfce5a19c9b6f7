import type { PartOf } from '@parley/protocol';

/** A place of a library from which a reply is. */
export interface CitedPlace {
  readonly agent: string;
  readonly sourceId: string;
  readonly title: string;
  readonly page: number | undefined;
  readonly heading: string | undefined;
  /** The numbers with which the text cites it; none if the text cites nothing at all. */
  readonly numbers: readonly number[];
}

/** `[1]`, `[1, 2]`, also with full-width brackets. */
const MARK = /[[【]\s*(\d{1,3}(?:\s*[,;、–-]\s*\d{1,3})*)\s*[\]】]/g;

/** The numbers that a text cites. */
function numbersIn(content: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [, marks = ''] of content.matchAll(MARK))
    for (const number of marks.match(/\d+/g) ?? []) found.add(Number(number));
  return found;
}

/**
 * The places that the text of a reply cites, in the order of their numbers. If it cites none of those that it was given,
 * the sources that the agent has read for it, each once and without a place.
 */
export function citedPlaces(parts: readonly PartOf<'citation'>[], content: string): CitedPlace[] {
  const cited = numbersIn(content);
  const used = parts.filter(({ number }) => cited.has(number));
  const places = new Map<string, CitedPlace>();
  for (const part of (used.length > 0 ? used : parts).toSorted((one, other) => one.number - other.number)) {
    const { agent, source_id: sourceId, title, number } = part;
    const [page, heading] = used.length > 0 ? [part.page, part.heading] : [];
    const key = JSON.stringify([sourceId, page, heading]);
    const known = places.get(key);
    const numbers = used.length > 0 ? [...(known?.numbers ?? []), number] : [];
    places.set(key, { agent, sourceId, title, page, heading, numbers });
  }
  return [...places.values()];
}
