import type { SqlValue } from '../sql.ts';
import type { ElementType } from './postgres-merged.ts';

const BIND = 0x42;
const EXECUTE = 0x45;
const SYNC = 0x53;
const LENGTH_BYTES = 4;
const TEXT = 0;
const BINARY = 1;
const SQL_NULL = -1;
/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const UNIT_BYTES = 3;

/** Ids of the types in pg_type. */
const oids: Record<ElementType, number> = { BYTEA: 17, BIGINT: 20, TEXT: 25 };
const BIGINT_BYTES = 8;

/** Size of the buffer that a writer keeps; a larger one is given away with its bytes. */
const KEPT_BYTES = 65_536;

/** Encodes the messages that run prepared statements. Byte arrays are sent as binary, all other values as text. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(KEPT_BYTES);
  #at = 0;

  /** `name` ends with NUL. */
  execute(name: Uint8Array, values: readonly SqlValue[]): void {
    const bind = this.#bind(name, values.length);
    for (const value of values) this.#int16(value instanceof Uint8Array ? BINARY : TEXT);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#execute(bind);
  }

  /** Runs a merged statement (postgres-merged.ts): one array of each parameter's values in all sets. */
  executeMerged(name: Uint8Array, types: readonly ElementType[], sets: readonly (readonly SqlValue[])[]): void {
    const bind = this.#bind(name, 1);
    this.#int16(BINARY);
    this.#int16(types.length);
    let column = 0;
    for (const type of types) {
      this.#reserve(64);
      const lengthAt = this.#at;
      this.#int32(0); // the length, set below
      this.#int32(1); // dimensions
      this.#int32(1); // there may be nulls
      this.#int32(oids[type]);
      this.#int32(sets.length);
      this.#int32(1); // the first index
      for (const values of sets) this.#element(type, values[column] ?? null);
      this.#bytes.writeInt32BE(this.#at - lengthAt - LENGTH_BYTES, lengthAt);
      column += 1;
    }
    this.#execute(bind);
  }

  /** Begins a Bind message, up to the number of its parameters' formats. */
  #bind(name: Uint8Array, formats: number): number {
    this.#reserve(64 + name.length + 6 * formats);
    const bind = this.#begin(BIND);
    this.#byte(0); // the unnamed portal
    this.#bytes.set(name, this.#at);
    this.#at += name.length;
    this.#int16(formats);
    return bind;
  }

  #execute(bind: number): void {
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
    const all = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    if (this.#bytes.length === KEPT_BYTES) return Buffer.from(all);
    this.#bytes = Buffer.allocUnsafe(KEPT_BYTES);
    return all;
  }

  #element(type: ElementType, value: SqlValue): void {
    if (type !== 'BIGINT' || typeof value !== 'number') return this.#value(value);
    this.#reserve(LENGTH_BYTES + BIGINT_BYTES);
    this.#int32(BIGINT_BYTES);
    this.#int32(Math.floor(value / 2 ** 32));
    this.#at = this.#bytes.writeUInt32BE(value >>> 0, this.#at);
    return undefined;
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
