const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** A piece of the text, and the byte offset in the whole text at which it ends. */
export interface Piece {
  delta: string;
  offset: number;
}

/** A text that grows at its end and is sent in pieces; no piece ends within a character. */
export class GrowingText {
  /** The whole text so far, complete characters only. */
  text = '';
  bytes = 0;
  readonly #mostBytes: number;
  /** A high surrogate whose low surrogate has not arrived. */
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

  /** False once the text has reached its limit; the rest is cut off between characters. */
  push(chunk: string): boolean {
    const joined = this.#half + chunk;
    this.#half = HIGH_SURROGATE.exec(joined)?.[0] ?? '';
    return this.#add(joined.slice(0, joined.length - this.#half.length).toWellFormed());
  }

  /** Called when the text is complete. */
  end(): void {
    const rest = this.#half.toWellFormed();
    this.#half = '';
    this.#add(rest);
  }

  /** The next piece to send, of at most `mostUnits` UTF-16 units. */
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

  /** Continues sending after `offset` bytes, which the service has; false if the text is shorter. */
  continueFrom(offset: number): boolean {
    if (offset > this.bytes) return false;
    const known = encoder.encode(this.text).subarray(0, offset);
    this.#sentUnits = new TextDecoder('utf-8', { ignoreBOM: true }).decode(known).length;
    this.#sentBytes = offset;
    return true;
  }

  /** Called when the service has the whole text. */
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
