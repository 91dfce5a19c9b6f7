/** Maximum sheets, and slides, that are read of a file. */
export const MOST_SHEETS = 50;
export const MOST_SLIDES = 500;

/** Maximum characters of a cell of a sheet, as in Excel. */
const MOST_CELL = 32_767;

/** The text of a cell up to its limit. `onCut` is called if it is longer. */
export function cutCell(text: string, onCut: () => void): string {
  if (text.length <= MOST_CELL) return text;
  onCut();
  return `${text.slice(0, MOST_CELL).toWellFormed()}…`;
}

/** Maximum depth of files inside files. */
export const MOST_NESTED = 2;
/** Maximum asides of a page or a sheet. */
export const MOST_ASIDES = 10_000;
