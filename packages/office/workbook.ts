import { Asides } from './asides.ts';
import { authorsOf } from './comment-authors.ts';
import { OfficeFailure } from './failure.ts';
import { MAX_SHEETS } from './limits.ts';
import type { Reading } from './parts.ts';
import { relationOfType, relationsOf } from './relations.ts';
import { addSheetAsides } from './sheet-asides.ts';
import { rowsOf, type SheetReading } from './sheet-rows.ts';
import type { OfficeDocument, Sheet } from './tree.ts';
import { formatsOf, sharedStrings } from './workbook-parts.ts';
import { attribute, eachElement } from './xml.ts';

/** The sheets of an Excel workbook that are not hidden, in their order. */
export async function readWorkbook(reading: Reading, entry: string): Promise<OfficeDocument> {
  const { zip, room } = reading;
  const relations = await relationsOf(zip, entry);
  const named: { name: string; entry: string | undefined }[] = [];
  let is1904 = false;
  await eachElement(zip.text(entry), new Set(['sheet', 'workbookPr']), (element, around) => {
    // Extensions have elements of the same name.
    if (element.name === 'workbookPr' && around.length === 1)
      is1904 = ['1', 'true'].includes(attribute(element, 'date1904') ?? '');
    else if (element.name === 'sheet' && around.at(-1)?.name === 'sheets') {
      const sheet = relations.get(attribute(element, 'id', true) ?? '');
      const isShown = (attribute(element, 'state') ?? 'visible') === 'visible';
      const target = sheet && zip.has(sheet.target) ? sheet.target : undefined;
      if (isShown) named.push({ name: attribute(element, 'name') ?? '', entry: target });
    }
    return named.length <= MAX_SHEETS;
  });
  const [styles, strings] = ['styles', 'sharedStrings'].map((type) => relationOfType(relations, type));
  const shared = await sharedStrings(zip, strings);
  const authors = await authorsOf(zip, relations);
  const context: SheetReading = { ...reading, formats: await formatsOf(zip, styles), is1904, shared };
  const sheets: Sheet[] = [];
  let damaged = 0;
  for (const { name, entry } of named.slice(0, MAX_SHEETS)) {
    if (room.isFull) break;
    try {
      if (entry === undefined) throw new OfficeFailure(false);
      const asides = new Asides();
      const read = await rowsOf(entry, context);
      await addSheetAsides(entry, asides, authors, context);
      sheets.push({ type: 'sheet', name, rows: read.rows, asides: asides.all, isCut: read.isCut || asides.isCut });
    } catch (error) {
      // A damaged sheet is left out; the others are read.
      if (!(error instanceof OfficeFailure)) throw error;
      damaged += 1;
      if (damaged === named.length) throw error;
      sheets.push({ type: 'sheet', name, rows: [], asides: [], isCut: true });
    }
  }
  return { parts: sheets, isCut: shared.isCut || sheets.length < named.length };
}
