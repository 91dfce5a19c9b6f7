// ZIP files for tests, written by hand.
import { crc32, deflateRawSync } from 'node:zlib';

/**
 * A ZIP file of these entries, whose names are ASCII. A password is only claimed: the entries can be read without it. A
 * large one has its sizes and offsets in the fields of ZIP64, however small it is.
 */
export function zip(
  entries: Readonly<Record<string, string | Uint8Array>>,
  { isStored = false, isLocked = false, isLarge = false } = {},
): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    // What the local header and the directory have in common: version, flags, method, time, sizes.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(isLocked ? 1 : 0, 2);
    facts.writeUInt16LE(isStored ? 0 : 8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    pieces.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed);
    const listed = Buffer.from(facts);
    const extra = isLarge ? largeField(bytes.length, packed.length, offset) : Buffer.alloc(0);
    if (isLarge) {
      listed.writeUInt32LE(0xffffffff, 14);
      listed.writeUInt32LE(0xffffffff, 18);
      listed.writeUInt16LE(extra.length, 24);
      place.writeUInt32LE(0xffffffff, 10);
    }
    central.push(Buffer.from('PK\x01\x02\x14\0'), listed, place, Buffer.from(name), extra);
    offset += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  const count = Object.keys(entries).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  if (!isLarge) return Buffer.from(Buffer.concat([...pieces, directory, end]));
  end.fill(0xff, 8, 20);
  return Buffer.from(Buffer.concat([...pieces, directory, ...largeEnd(count, directory.length, offset), end]));
}

/** The extra field with the sizes and the offset of an entry. */
function largeField(bytes: number, packedBytes: number, offset: number): Buffer {
  const field = Buffer.alloc(28);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(24, 2);
  [bytes, packedBytes, offset].forEach((value, at) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * at));
  return field;
}

/** The end of a large file's directory, and where it is. */
function largeEnd(count: number, bytes: number, offset: number): Buffer[] {
  const end = Buffer.alloc(56);
  end.write('PK\x06\x06', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  [count, count, bytes, offset].forEach((value, at) => end.writeBigUInt64LE(BigInt(value), 24 + 8 * at));
  const place = Buffer.alloc(20);
  place.write('PK\x06\x07', 'latin1');
  place.writeBigUInt64LE(BigInt(offset + bytes), 8);
  place.writeUInt32LE(1, 16);
  return [end, place];
}
