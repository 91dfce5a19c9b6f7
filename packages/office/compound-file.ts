/** A file of the format that older office programs, and encrypted files, have: streams in sectors, as a disk has files. */
const MARK = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Larger sector numbers have special meanings; these end a chain. */
const MAX_SECTOR = 0xffff_fff9;
const IN_HEADER = 109;

export const isCompoundFile = (bytes: Uint8Array): boolean => MARK.every((byte, at) => bytes[at] === byte);

/** The streams of a compound file by their names. Damaged chains end early; a RangeError means that the file is cut. */
export function streamsOf(bytes: Uint8Array<ArrayBuffer>): (name: string) => Uint8Array<ArrayBuffer> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u32 = (at: number): number => view.getUint32(at, true);
  const size = 2 ** Math.min(16, view.getUint16(30, true));
  const most = Math.ceil(bytes.length / size);
  const sector = (number: number): Uint8Array<ArrayBuffer> => {
    const start = Math.max(HEADER_BYTES, size) + number * size;
    return bytes.subarray(start, start + size);
  };
  // The table of chains is in sectors, whose numbers are in the header and in a chain of further sectors.
  const places = Array.from({ length: IN_HEADER }, (_, at) => u32(76 + at * 4));
  for (let next = u32(68), read = 0; next <= MAX_SECTOR && read < most; read += 1) {
    const numbers = numbersIn(sector(next));
    places.push(...numbers.slice(0, -1));
    next = numbers.at(-1) ?? MAX_SECTOR + 1;
  }
  const table = places
    .filter((place) => place <= MAX_SECTOR)
    .slice(0, most)
    .flatMap((place) => numbersIn(sector(place)));
  const directory = joined(u32(48), table, sector, most);
  const small = numbersIn(joined(u32(60), table, sector, most));
  const smallSize = 2 ** Math.min(16, view.getUint16(32, true));
  const entries = Array.from({ length: Math.floor(directory.length / ENTRY_BYTES) }, (_, at) => {
    const entry = new DataView(directory.buffer, at * ENTRY_BYTES, ENTRY_BYTES);
    const nameBytes = Math.max(0, Math.min(64, entry.getUint16(64, true)) - 2);
    const name = new TextDecoder('utf-16le').decode(directory.subarray(at * ENTRY_BYTES, at * ENTRY_BYTES + nameBytes));
    return { name, start: entry.getUint32(116, true), length: entry.getUint32(120, true) };
  });
  return (name) => {
    const entry = entries.find((other) => other.name === name);
    const [root] = entries;
    if (!entry || !root) return undefined;
    if (entry.length >= u32(56)) return joined(entry.start, table, sector, most).subarray(0, entry.length);
    // Small streams share the sectors of the root's.
    const shared = joined(root.start, table, sector, most);
    const piece = (at: number): Uint8Array<ArrayBuffer> => shared.subarray(at * smallSize, (at + 1) * smallSize);
    return joined(entry.start, small, piece, Math.ceil(shared.length / smallSize)).subarray(0, entry.length);
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The numbers in a sector of a table. */
function numbersIn(piece: Bytes): number[] {
  const inside = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
  return Array.from({ length: piece.byteLength >> 2 }, (_, at) => inside.getUint32(at * 4, true));
}

/** The pieces of a chain, at most `limit` of them: the chain may be a circle. */
function joined(start: number, next: readonly number[], piece: (at: number) => Bytes, limit: number): Bytes {
  const pieces: Bytes[] = [];
  for (let at = start; at <= MAX_SECTOR && pieces.length < limit; at = next[at] ?? MAX_SECTOR + 1)
    pieces.push(piece(at));
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const one of pieces) {
    all.set(one, end);
    end += one.length;
  }
  return all;
}
