import { OfficeFailure } from './failure.ts';

/** Maximum unpacked bytes that are read of a file: a few kilobytes can unpack to gigabytes. */
const MOST_UNPACKED = 33_554_432;
/** Maximum entries of a file. */
const MOST_ENTRIES = 10_000;

const END = 0x06054b50;
const END_BYTES = 22;
const MOST_COMMENT = 65_535;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly offset: number;
  readonly packedBytes: number;
  readonly method: number;
  readonly isEncrypted: boolean;
}

/** The entries of a ZIP file, unpacked as they are read. */
export class Zip {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = MOST_UNPACKED;

  /** Throws an OfficeFailure if the bytes are no ZIP file. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      this.#entries = this.#list();
    } catch (error) {
      throw error instanceof RangeError ? new OfficeFailure(false) : error;
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The text of an entry in pieces, until all entries together have reached the limit; `isCut` is true then. */
  async *text(name: string): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    const stream = this.#unpacked(name);
    const reader = stream.getReader();
    try {
      for (;;) {
        const { value } = await reader.read();
        if (!value) return yield decoder.decode();
        if (value.length > this.#left) return (this.#left = 0);
        this.#left -= value.length;
        yield decoder.decode(value, { stream: true });
      }
    } catch (error) {
      // The bytes cannot be unpacked.
      throw error instanceof TypeError ? new OfficeFailure(false) : error;
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  /** Whether the limit has ended the reading of an entry. */
  get isCut(): boolean {
    return this.#left === 0;
  }

  #unpacked(name: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const entry = this.#entries.get(name);
    if (!entry) throw new OfficeFailure(false);
    const { offset, packedBytes, method, isEncrypted } = entry;
    if (isEncrypted) throw new OfficeFailure(true);
    if (offset + LOCAL_BYTES > this.#bytes.length || this.#u32(offset) !== LOCAL) throw new OfficeFailure(false);
    const start = offset + LOCAL_BYTES + this.#u16(offset + 26) + this.#u16(offset + 28);
    const packed = new Blob([this.#bytes.subarray(start, start + packedBytes)]).stream();
    if (method === STORED) return packed;
    if (method !== DEFLATED) throw new OfficeFailure(false);
    return packed.pipeThrough(new DecompressionStream('deflate-raw'));
  }

  /** Reads the central directory, which is at the end. */
  #list(): Map<string, Entry> {
    const end = this.#end();
    const entries = new Map<string, Entry>();
    const count = Math.min(this.#u16(end + 10), MOST_ENTRIES);
    let at = this.#u32(end + 16);
    for (let index = 0; index < count && this.#u32(at) === CENTRAL; index += 1) {
      const nameBytes = this.#u16(at + 28);
      const name = new TextDecoder().decode(this.#bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes));
      entries.set(name, {
        offset: this.#u32(at + 42),
        packedBytes: this.#u32(at + 20),
        method: this.#u16(at + 10),
        isEncrypted: (this.#u16(at + 8) & ENCRYPTED) !== 0,
      });
      at += CENTRAL_BYTES + nameBytes + this.#u16(at + 30) + this.#u16(at + 32);
    }
    return entries;
  }

  #end(): number {
    const last = this.#bytes.length - END_BYTES;
    for (let at = last; at >= Math.max(0, last - MOST_COMMENT); at -= 1) if (this.#u32(at) === END) return at;
    throw new OfficeFailure(false);
  }

  #u16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  #u32(at: number): number {
    return this.#view.getUint32(at, true);
  }
}
