import { OfficeFailure } from './failure.ts';
import { xmlText } from './xml-text.ts';

/** Maximum unpacked bytes that are read of a file: a few kilobytes can unpack to gigabytes. */
const MAX_UNPACKED = 33_554_432;
/** Maximum entries of a file. */
const MAX_ENTRIES = 10_000;

const END = 0x06054b50;
const END_BYTES = 22;
/** ZIP64: large sizes and offsets, which some programs write for small files too. */
const LARGE_END = 0x06064b50;
const LARGE_END_BYTES = 56;
const LARGE_PLACE = 0x07064b50;
const LARGE_PLACE_BYTES = 20;
const LARGE_FIELD = 1;
/** The value of a field whose real value is in the ZIP64 field. */
const ELSEWHERE = 0xffff_ffff;
const MAX_COMMENT = 65_535;
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

/** The bytes that may still be unpacked: a file shares them with the files inside it. */
interface Budget {
  left: number;
}

/**
 * The entries of a ZIP file, unpacked as they are read. Names are compared without case, as the Open Packaging
 * Conventions say, and `\` in a name counts as `/`.
 */
export class Zip {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #budget: Budget;

  /** Throws an OfficeFailure if the bytes are no ZIP file. */
  constructor(bytes: Uint8Array<ArrayBuffer>, budget: Budget = { left: MAX_UNPACKED }) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      this.#entries = this.#list();
    } catch (error) {
      throw error instanceof RangeError ? new OfficeFailure(false) : error;
    }
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** The text of an XML entry in pieces, until all entries together have reached the limit; `isCut` is true then. */
  text(name: string): AsyncGenerator<string> {
    return xmlText(this.#read(name));
  }

  /** All bytes of an entry; cut at the limit. */
  async bytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of this.#read(name)) pieces.push(piece);
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }

  /** A ZIP file that is an entry of this one. Throws an OfficeFailure if it is none. */
  async inner(name: string): Promise<Zip> {
    return new Zip(await this.bytes(name), this.#budget);
  }

  /** Whether the limit has ended the reading of an entry. */
  get isCut(): boolean {
    return this.#budget.left === 0;
  }

  async *#read(name: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const reader = this.#unpacked(name).getReader();
    try {
      for (;;) {
        const { value } = await reader.read();
        if (!value) return;
        const { left } = this.#budget;
        this.#budget.left = Math.max(0, left - value.length);
        if (value.length > left) return;
        yield value;
      }
    } catch (error) {
      // The bytes cannot be unpacked.
      throw error instanceof TypeError ? new OfficeFailure(false) : error;
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  /** Addresses of parts may have escapes that the names of entries do not have. */
  #find(name: string): Entry | undefined {
    const found = this.#entries.get(keyOf(name));
    if (found || !name.includes('%')) return found;
    try {
      return this.#entries.get(keyOf(decodeURIComponent(name)));
    } catch {
      return undefined;
    }
  }

  #unpacked(name: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const entry = this.#find(name);
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
    const directory = this.#directory();
    const entries = new Map<string, Entry>();
    const count = Math.min(directory.count, MAX_ENTRIES);
    let at = directory.offset;
    for (let index = 0; index < count && this.#u32(at) === CENTRAL; index += 1) {
      const [nameBytes, extraBytes] = [this.#u16(at + 28), this.#u16(at + 30)];
      const nameAt = at + CENTRAL_BYTES;
      const name = new TextDecoder().decode(this.#bytes.subarray(nameAt, nameAt + nameBytes));
      const [, packedBytes, offset] = this.#sizes(at, nameAt + nameBytes, extraBytes);
      entries.set(keyOf(name), {
        offset: offset + directory.shift,
        packedBytes,
        method: this.#u16(at + 10),
        isEncrypted: (this.#u16(at + 8) & ENCRYPTED) !== 0,
      });
      at += CENTRAL_BYTES + nameBytes + extraBytes + this.#u16(at + 32);
    }
    return entries;
  }

  /** The size, packed size and offset of an entry of the directory; those that are too large are in the extra fields. */
  #sizes(at: number, extra: number, extraBytes: number): [number, number, number] {
    let field = extra;
    while (field + 4 < extra + extraBytes && this.#u16(field) !== LARGE_FIELD) field += 4 + this.#u16(field + 2);
    let next = field + 4;
    const sizes = [24, 20, 42].map((place) => {
      const value = this.#u32(at + place);
      if (value !== ELSEWHERE || next + 8 > extra + extraBytes) return value;
      next += 8;
      return this.#u64(next - 8);
    });
    return sizes as [number, number, number]; // one for each place
  }

  /** Where the directory is, and by how much the offsets in it are too small: something may stand before the file. */
  #directory(): { count: number; offset: number; shift: number } {
    const end = this.#end();
    const place = end - LARGE_PLACE_BYTES;
    if (place >= 0 && this.#u32(place) === LARGE_PLACE) {
      const large = this.#u64(place + 8);
      if (large + LARGE_END_BYTES <= place && this.#u32(large) === LARGE_END)
        return { count: this.#u64(large + 32), offset: this.#u64(large + 48), shift: 0 };
    }
    const [count, bytes, offset] = [this.#u16(end + 10), this.#u32(end + 12), this.#u32(end + 16)];
    const shift = Math.max(0, end - bytes - offset);
    const isShifted = shift > 0 && this.#u32(offset) !== CENTRAL && this.#u32(offset + shift) === CENTRAL;
    return { count, offset: isShifted ? offset + shift : offset, shift: isShifted ? shift : 0 };
  }

  #end(): number {
    const last = this.#bytes.length - END_BYTES;
    for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) if (this.#u32(at) === END) return at;
    throw new OfficeFailure(false);
  }

  #u16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  #u32(at: number): number {
    return this.#view.getUint32(at, true);
  }

  /** Numbers above 2^53 are no longer exact; they are beyond every file. */
  #u64(at: number): number {
    return Number(this.#view.getBigUint64(at, true));
  }
}

const keyOf = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
