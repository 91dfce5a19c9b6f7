const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** A piece of the text, and the byte of the whole at which it ends. */
export interface Piece {
  delta: string;
  offset: number;
}

/** A text that grows at its end and is given on piece by piece: no piece ends within a character. */
export class GrowingText {
  /** The whole of it, whole characters alone. */
  text = '';
  bytes = 0;
  readonly #mostBytes: number;
  /** The first half of a character whose second half has not come. */
  #half = '';
  #sentUnits = 0;
  #sentBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get hasUnsent(): boolean {
    return this.#sentUnits < this.text.length;
  }

  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** False when it has reached its limit: what is beyond is cut off, at a character. */
  push(chunk: string): boolean {
    const joined = this.#half + chunk;
    this.#half = HIGH_SURROGATE.exec(joined)?.[0] ?? '';
    return this.#add(joined.slice(0, joined.length - this.#half.length).toWellFormed());
  }

  /** Nothing more comes. */
  end(): void {
    const rest = this.#half.toWellFormed();
    this.#half = '';
    this.#add(rest);
  }

  /** What is to be sent next, of at most so many UTF-16 units. */
  next(mostUnits: number): Piece {
    let end = Math.min(this.text.length, this.#sentUnits + mostUnits);
    if (end < this.text.length && HIGH_SURROGATE.test(this.text.slice(end - 1, end))) end -= 1;
    const delta = this.text.slice(this.#sentUnits, end);
    return { delta, offset: this.#sentBytes + byteLength(delta) };
  }

  sent({ delta, offset }: Piece): void {
    this.#sentUnits += delta.length;
    this.#sentBytes = offset;
  }

  /** The other side has exactly so many bytes: false where they are more than there are. */
  goOnFrom(offset: number): boolean {
    if (offset > this.bytes) return false;
    const known = encoder.encode(this.text).subarray(0, offset);
    this.#sentUnits = new TextDecoder('utf-8', { ignoreBOM: true }).decode(known).length;
    this.#sentBytes = offset;
    return true;
  }

  /** All of it was sent. */
  sentAll(text: string): void {
    this.#sentUnits = text.length;
    this.#sentBytes = byteLength(text);
  }

  #add(text: string): boolean {
    const room = this.#mostBytes - this.bytes;
    const size = byteLength(text);
    if (size <= room) {
      this.text += text;
      this.bytes += size;
      return true;
    }
    const { read, written } = encoder.encodeInto(text, new Uint8Array(room));
    this.text += text.slice(0, read);
    this.bytes += written;
    return false;
  }
}
