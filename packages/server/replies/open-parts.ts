import { isDeepStrictEqual } from 'node:util';
import { grown, type Part, type PartChange, type PartGrowth, reasoningBytes } from '@parley/protocol';
import { conflict, invalid, ServiceError } from '../core/errors.ts';
import { fitsParts, jsonBytes } from '../rules/reply-parts.ts';

/** The parts of an open reply: as its writer has written them, and as they are published. */
export class OpenParts {
  #list: readonly Part[];
  #published: readonly Part[];
  #bytes: number;
  /**
   * What is not published yet, by the part's place, in the order of its first change. 'whole': new parts, and those that
   * changed other than by more text.
   */
  readonly #pending = new Map<number, 'whole' | 'more'>();
  /** The places of the parts by their ids. */
  #places: Map<string, number>;
  /** The parts with which the request began: those of a continued reply, and of the turn's earlier requests. */
  #begun: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#list = parts;
    this.#published = parts;
    this.#bytes = sizeOf(parts);
    this.#begun = parts;
    this.#places = placesOf(parts);
  }

  /** In the order in which they were first written. */
  get list(): readonly Part[] {
    return this.#list;
  }

  /** The published parts: the beginning of `list`, perhaps in older states. */
  get published(): readonly Part[] {
    return this.#published;
  }

  /** The length of their JSON. */
  get bytes(): number {
    return this.#bytes;
  }

  get(id: string): Part | undefined {
    return this.#list[this.#placeOf(id)];
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** How many events the pending changes will be. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /**
   * Inserts or replaces a part. Throws if the message would have too much of them (PART-9); with `freeBytes`, if it would
   * leave less room than that for one more part.
   */
  put(part: Part, freeBytes = 0): void {
    const at = this.#placeOf(part.id);
    const known = this.#list[at];
    // A writer that does not know whether the service has a part sends it again.
    if (isDeepStrictEqual(part, known)) return;
    this.#put(at, part, jsonBytes(part) - (known ? jsonBytes(known) : 0), freeBytes);
    this.#pending.set(at, 'whole');
  }

  /**
   * Appends to the text of a reasoning part, or begins one at `offset`, its place in the content. A repetition changes
   * nothing (PART-8).
   */
  grow(change: PartGrowth, offset: number, freeBytes = 0): void {
    const { id, append, text_offset: textOffset, duration_ms: ms } = change;
    const at = this.#placeOf(id);
    const known = this.#list[at] ?? { id, offset, type: 'reasoning', text: '' };
    if (known.type !== 'reasoning') throw invalid('part.append', 'only reasoning grows');
    const bytes = reasoningBytes(known);
    const size = Buffer.byteLength(append);
    const start = textOffset - size;
    if (start !== bytes) {
      const isKnown = start >= 0 && textOffset <= bytes;
      if (isKnown && Buffer.from(known.text).subarray(start, textOffset).equals(Buffer.from(append))) return;
      throw conflict('text_offset does not fit the text so far', { offset: bytes });
    }
    if (this.#list[at] && append === '' && (ms === undefined || ms === known.duration_ms)) return;
    const longer = grown(known, change);
    if (!this.#list[at]) return this.put(longer, freeBytes);
    // The text may be long, so only what is appended to it is measured; a duration replaces the known one.
    const more = ms === undefined ? 0 : jsonBytes({ ...longer, text: '' }) - jsonBytes({ ...known, text: '' });
    this.#put(at, longer, jsonBytes(append) - 2 + more, freeBytes);
    return void (this.#pending.has(at) || this.#pending.set(at, 'more'));
  }

  /** What is written so far stays if the next request is repeated. */
  keep(): void {
    this.#begun = this.#list;
  }

  /** Forgets what was written since the request began, because it is repeated. */
  clear(): void {
    this.#list = this.#begun;
    this.#published = this.#list;
    this.#bytes = sizeOf(this.#list);
    this.#pending.clear();
    this.#places = placesOf(this.#list);
  }

  /** Takes the next pending change, if there is one: it counts as published. */
  takePending(): PartChange | undefined {
    const [first] = this.#pending;
    if (!first) return undefined;
    const [at, kind] = first;
    this.#pending.delete(at);
    const part = this.#list[at];
    const known = this.#published[at];
    if (!part) return undefined;
    // With the last change both lists are one again.
    this.#published = this.hasPending
      ? known
        ? this.#published.with(at, part)
        : [...this.#published, part]
      : this.#list;
    if (kind === 'whole' || known?.type !== 'reasoning' || part.type !== 'reasoning') return part;
    const { id, duration_ms: ms } = part;
    return {
      id,
      append: part.text.slice(known.text.length),
      text_offset: reasoningBytes(part),
      ...(ms !== undefined && ms !== known.duration_ms && { duration_ms: ms }),
    };
  }

  #placeOf(id: string): number {
    return this.#places.get(id) ?? this.#list.length;
  }

  #put(at: number, part: Part, moreBytes: number, freeBytes: number): void {
    const list = at < this.#list.length ? this.#list.with(at, part) : [...this.#list, part];
    const free = freeBytes === 0 ? 0 : 1;
    if (!fitsParts(list.length + free, this.#bytes + moreBytes + freeBytes)) throw tooMuch();
    this.#list = list;
    this.#places.set(part.id, at);
    this.#bytes += moreBytes;
  }
}

const placesOf = (parts: readonly Part[]): Map<string, number> => new Map(parts.map(({ id }, at) => [id, at]));

const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + jsonBytes(part), 0);

const tooMuch = () =>
  new ServiceError('too_large', 'the parts of this message are too large together', { field: 'part' });
