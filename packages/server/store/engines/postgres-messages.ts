import type { SqlValue } from '../sql.ts';

const BIND = 0x42;
const EXECUTE = 0x45;
const SYNC = 0x53;
const LENGTH_BYTES = 4;
const TEXT = 0;
const BINARY = 1;
const SQL_NULL = -1;
/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const UNIT_BYTES = 3;

/** Encodes the messages that run prepared statements. Byte arrays are sent as binary, all other values as text. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(65_536);
  #at = 0;

  /** `name` ends with NUL. */
  execute(name: Uint8Array, values: readonly SqlValue[]): void {
    this.#reserve(64 + name.length + 6 * values.length);
    const bind = this.#begin(BIND);
    this.#byte(0); // the unnamed portal
    this.#bytes.set(name, this.#at);
    this.#at += name.length;
    this.#int16(values.length);
    for (const value of values) this.#int16(value instanceof Uint8Array ? BINARY : TEXT);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#reserve(64);
    this.#int16(0); // all columns as texts
    this.#finish(bind);
    const execute = this.#begin(EXECUTE);
    this.#byte(0);
    this.#int32(0); // all rows
    this.#finish(execute);
  }

  /** Adds a Sync and returns everything encoded since the last call. */
  end(): Uint8Array {
    this.#reserve(1 + LENGTH_BYTES);
    this.#finish(this.#begin(SYNC));
    const all = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return all;
  }

  #value(value: SqlValue): void {
    if (value === null) {
      this.#reserve(LENGTH_BYTES);
      return this.#int32(SQL_NULL);
    }
    if (value instanceof Uint8Array) {
      this.#reserve(LENGTH_BYTES + value.length);
      this.#int32(value.length);
      this.#bytes.set(value, this.#at);
      this.#at += value.length;
      return undefined;
    }
    const text = String(value);
    this.#reserve(LENGTH_BYTES + UNIT_BYTES * text.length);
    const written = this.#bytes.write(text, this.#at + LENGTH_BYTES);
    this.#int32(written);
    this.#at += written;
    return undefined;
  }

  /** Starts a message. Returns the position of its length, for `#finish`. */
  #begin(code: number): number {
    this.#byte(code);
    this.#at += LENGTH_BYTES;
    return this.#at - LENGTH_BYTES;
  }

  #finish(lengthAt: number): void {
    this.#bytes.writeInt32BE(this.#at - lengthAt, lengthAt);
  }

  #byte(value: number): void {
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  #int16(value: number): void {
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
  }

  #int32(value: number): void {
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + more));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
