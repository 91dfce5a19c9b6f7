// ZIP files for tests, written by hand.
import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP file of these entries, whose names are ASCII. A password is only claimed: the entries can be read without it. */
export function zip(
  entries: Readonly<Record<string, string | Uint8Array>>,
  { isStored = false, isLocked = false } = {},
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
    central.push(Buffer.from('PK\x01\x02\x14\0'), facts, place, Buffer.from(name));
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
  return Buffer.from(Buffer.concat([...pieces, directory, end]));
}
