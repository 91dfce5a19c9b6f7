import { cutCell } from './limits.ts';
import { type OpenContext, repeated, spansOf } from './open-spans.ts';
import type { OfficeBounds, Row, Sheet } from './tree.ts';
import { attribute, childrenOf, type Element } from './xml.ts';

export type SheetInWork = Omit<Sheet, 'rows' | 'isCut'> & { rows: Row[]; isCut: boolean };

export const cellsIn = (row: Element): Element[] =>
  childrenOf(row).filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell');

/** Adds a row of a sheet, as often as the file repeats it. Returns the number of the last one. */
export function addRow(
  element: Element,
  before: number,
  sheet: SheetInWork,
  { columns, rows }: OfficeBounds,
  context: OpenContext,
): number {
  const { room } = context;
  const cells: string[] = [];
  let at = 0;
  const cut = (): void => void (sheet.isCut = true);
  for (const cell of cellsIn(element)) {
    const text = cutCell(textOfCell(cell, { ...context, cell: `${lettersOf(at)}${before + 1}` }), cut);
    const count = repeated(cell, 'number-columns-repeated');
    if (text !== '' && at + count > columns) cut();
    // Each copy takes room, and so does each empty cell before a text: a file of a few bytes may ask for millions.
    if (text !== '' && at < columns) {
      room.skip(at - cells.length);
      while (cells.length < at && !room.isFull) cells.push('');
      for (let copy = 0; copy < count && cells.length < columns && !room.isFull; copy += 1)
        cells.push(copy === 0 ? text : room.take(text));
    }
    at += count;
  }
  const count = repeated(element, 'number-rows-repeated');
  if (cells.length > 0)
    for (let copy = 1; copy <= count; copy += 1) {
      if (sheet.rows.length === rows || (copy > 1 && room.isFull)) {
        cut();
        break;
      }
      sheet.rows.push({
        number: before + copy,
        cells: copy === 1 ? cells : cells.map((text) => room.take(text)),
      });
    }
  return before + count;
}

/** The letters of a column, as spreadsheets name it: A to Z, then AA. */
const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCodePoint(65 + (column % 26));

/** A day in ISO 8601, the text that the program shows, or else the value. */
function textOfCell(cell: Element, context: OpenContext): string {
  const shown = spansOf(cell, context)
    .map(({ text }) => text)
    .join('');
  const value = (name: string): string => attribute(cell, name) ?? '';
  const type = attribute(cell, 'value-type');
  if (type === 'date')
    return (
      context.room.take(
        value('date-value')
          .replace(/T00:00:00(?:\.0{1,9})?$/, '')
          .replace('T', ' '),
      ) || shown
    );
  if (shown.trim() !== '') return shown;
  const number = Number(value('value'));
  if (type === 'float' || type === 'currency') return context.room.take(value('value'));
  if (type === 'percentage' && value('value') !== '') return `${Number((number * 100).toPrecision(15))}%`;
  if (type === 'boolean') return value('boolean-value').toUpperCase();
  if (type === 'time') return context.room.take(durationOf(value('time-value')));
  return type === 'string' ? context.room.take(value('string-value')) : '';
}

/** `PT36H00M05S` as `36:00:05`. */
function durationOf(text: string): string {
  const [, hours, minutes, seconds] = /^-?PT(\d+)H(\d+)M(\d+)/.exec(text) ?? [];
  return hours === undefined ? text : [hours, minutes, seconds].join(':');
}
