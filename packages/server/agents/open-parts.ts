import { isDeepStrictEqual } from 'node:util';
import { grown, type Part, type PartChange, type PartGrowth, reasoningBytes } from '@parley/protocol';
import { conflict, invalid, ServiceError } from '../core/errors.ts';
import { fitsParts, jsonBytes } from '../rules/reply-parts.ts';

/** The parts of an open reply: as its writer has written them, and as they are published. */
export class OpenParts {
  /** In the order in which they were first written. */
  list: readonly Part[];
  /** The published parts: the beginning of `list`, perhaps in older states. */
  shown: readonly Part[];
  /** Their JSON. */
  bytes: number;
  /** Parts that must be published whole: new ones, and those that changed other than by more text. */
  readonly #whole = new Set<string>();
  /** The parts with which the turn began: those of a continued reply. */
  readonly #begun: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.list = parts;
    this.shown = parts;
    this.bytes = sizeOf(parts);
    this.#begun = parts;
  }

  get hasUnshown(): boolean {
    return this.list !== this.shown;
  }

  /** How many events the parts that are not published yet will be. */
  get unshownCount(): number {
    return this.hasUnshown ? this.list.filter((part, at) => part !== this.shown[at]).length : 0;
  }

  /**
   * Inserts or replaces a part. Throws if the message would have too much of them (PART-9); with `freeBytes`, if it would
   * leave less room than that for one more part.
   */
  put(part: Part, freeBytes = 0): void {
    const at = this.#placeOf(part.id);
    const known = this.list[at];
    // A writer that does not know whether the service has a part sends it again.
    if (isDeepStrictEqual(part, known)) return;
    this.#put(at, part, jsonBytes(part) - (known ? jsonBytes(known) : 0), freeBytes);
    this.#whole.add(part.id);
  }

  /**
   * Appends to the text of a reasoning part, or begins one at `offset`, its place in the content. A repetition changes
   * nothing (PART-8).
   */
  grow(change: PartGrowth, offset: number, freeBytes = 0): void {
    const { id, append, text_offset: textOffset, duration_ms: ms } = change;
    const at = this.#placeOf(id);
    const known = this.list[at] ?? { id, offset, type: 'reasoning', text: '' };
    if (known.type !== 'reasoning') throw invalid('part.append', 'only reasoning grows');
    const bytes = reasoningBytes(known);
    const size = Buffer.byteLength(append);
    const start = textOffset - size;
    if (start !== bytes) {
      const isKnown = start >= 0 && textOffset <= bytes;
      if (isKnown && Buffer.from(known.text).subarray(start, textOffset).equals(Buffer.from(append))) return;
      throw conflict('text_offset does not fit the text so far', { offset: bytes });
    }
    if (this.list[at] && append === '' && (ms === undefined || ms === known.duration_ms)) return;
    const longer = grown(known, change);
    if (!this.list[at]) return this.put(longer, freeBytes);
    // The text may be long, so only what is appended to it is measured; a duration replaces the known one.
    const more = ms === undefined ? 0 : jsonBytes({ ...longer, text: '' }) - jsonBytes({ ...known, text: '' });
    return this.#put(at, longer, jsonBytes(append) - 2 + more, freeBytes);
  }

  /** Forgets what was written since the turn began, because its request is repeated. */
  clear(): void {
    this.list = this.#begun;
    this.shown = this.list;
    this.bytes = sizeOf(this.list);
    this.#whole.clear();
  }

  /** Publishes the next change, if there is one: it then counts as shown. */
  next(): PartChange | undefined {
    const at = this.list.findIndex((part, index) => part !== this.shown[index]);
    const part = this.list[at];
    if (!part) {
      this.shown = this.list;
      return undefined;
    }
    const known = this.shown[at];
    const isWhole = this.#whole.delete(part.id) || known?.type !== 'reasoning' || part.type !== 'reasoning';
    // With the last change `list` and `shown` are one again, so that no change costs one comparison.
    const shown = known ? this.shown.with(at, part) : [...this.shown, part];
    this.shown = this.list.every((one, index) => one === shown[index]) ? this.list : shown;
    if (isWhole) return part;
    const { id, type, duration_ms: ms } = part;
    return {
      id,
      type,
      append: part.text.slice(known.text.length),
      text_offset: reasoningBytes(part),
      ...(ms !== undefined && ms !== known.duration_ms && { duration_ms: ms }),
    };
  }

  #placeOf(id: string): number {
    const at = this.list.findIndex((part) => part.id === id);
    return at < 0 ? this.list.length : at;
  }

  #put(at: number, part: Part, moreBytes: number, freeBytes: number): void {
    const list = at < this.list.length ? this.list.with(at, part) : [...this.list, part];
    const free = freeBytes === 0 ? 0 : 1;
    if (!fitsParts(list.length + free, this.bytes + moreBytes + freeBytes)) throw tooMuch();
    this.list = list;
    this.bytes += moreBytes;
  }
}

const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + jsonBytes(part), 0);

const tooMuch = () =>
  new ServiceError('too_large', 'the parts of this message are too large together', { field: 'part' });
