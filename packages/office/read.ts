import { isCompoundFile } from './compound-file.ts';
import { type Digest, openedByDefault } from './default-password.ts';
import { OfficeFailure } from './failure.ts';
import { readOpenDocument } from './open-document.ts';
import type { Reading } from './parts.ts';
import { readPresentation } from './presentation.ts';
import { relationOfType, relationsOf } from './relations.ts';
import { Room } from './room.ts';
import type { OfficeBounds, OfficeDocument } from './tree.ts';
import { readWord } from './word.ts';
import { readWorkbook } from './workbook.ts';
import { rootName } from './xml.ts';
import { Zip } from './zip.ts';

/**
 * Reads an office file. Throws an OfficeFailure if the file needs a password or is no office file. `digest` is for files
 * with Excel's own password: the Web Cryptography API is used without it.
 */
export async function readOffice(
  bytes: Uint8Array<ArrayBuffer>,
  bounds: OfficeBounds,
  digest?: Digest,
): Promise<OfficeDocument> {
  const opened = isEncrypted(bytes) ? await openedByDefault(bytes, digest) : bytes;
  if (!opened) throw new OfficeFailure(true);
  const zip = new Zip(opened);
  const room = new Room(bounds.characters);
  const { parts, isCut } = await readParts(readingOf(zip, room, bounds, 0));
  return { parts, isCut: isCut || room.isFull || zip.isCut };
}

const readingOf = (zip: Zip, room: Room, bounds: OfficeBounds, depth: number): Reading => ({
  zip,
  room,
  bounds,
  depth,
  inside: (inner) => readParts(readingOf(inner, room, bounds, depth + 1)),
});

async function readParts(reading: Reading): Promise<OfficeDocument> {
  const { zip } = reading;
  if (zip.has('content.xml')) return readOpenDocument(reading);
  const entry = relationOfType(await relationsOf(zip, ''), 'officeDocument');
  if (entry === undefined || !zip.has(entry)) throw new OfficeFailure(false);
  switch (await rootName(zip.text(entry))) {
    case 'document':
      return readWord(reading, entry);
    case 'workbook':
      return readWorkbook(reading, entry);
    case 'presentation':
      return readPresentation(reading, entry);
    default:
      throw new OfficeFailure(false);
  }
}

/** Office programs encrypt a file into a container of another format, in an entry with this name in UTF-16. */
const encrypted = [...new TextEncoder().encode('EncryptedPackage')].flatMap((letter) => [letter, 0]);

function isEncrypted(bytes: Uint8Array): boolean {
  if (!isCompoundFile(bytes)) return false;
  for (let at = bytes.indexOf(69); at !== -1; at = bytes.indexOf(69, at + 1))
    if (encrypted.every((byte, index) => bytes[at + index] === byte)) return true;
  return false;
}
