// Runs in the inspecting process only: the text of an office file.
import { createHash } from 'node:crypto';
import type { OfficeText } from './inspector.ts';

/** Maximum rows and columns that are read of a sheet or a table. */
const ROWS = 10_000;
const COLUMNS = 16_384;

/** Does not leave the thread for each of 100,000 hashes. */
const digest = (hash: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash(hash.replace('-', '').toLowerCase()).update(bytes).digest());

/** Reads the text of a file up to the limits, and whether that is all of it or the file needs a password. */
export async function readOfficeText(
  bytes: Buffer<ArrayBuffer>,
  characters: number,
): Promise<{ text: string; found: OfficeText }> {
  // Loaded for the first office file: most processes inspect photos only.
  const { OfficeFailure, readOffice, textOf } = await import('@parley/office');
  try {
    const document = await readOffice(bytes, { characters, rows: ROWS, columns: COLUMNS }, digest);
    const text = textOf(document, characters);
    const isCut = document.isCut || document.parts.some((part) => part.type === 'sheet' && part.isCut);
    return {
      text: text.slice(0, characters).toWellFormed(),
      found: { isWhole: !isCut && text.length <= characters, isLocked: false },
    };
  } catch (error) {
    if (error instanceof OfficeFailure && error.isLocked)
      return { text: '', found: { isWhole: false, isLocked: true } };
    throw error;
  }
}
