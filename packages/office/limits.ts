/** Maximum sheets, and slides, that are read of a file. */
export const MAX_SHEETS = 50;
export const MAX_SLIDES = 500;

/** Maximum characters of a cell of a sheet, as in Excel. */
const MAX_CELL = 32_767;

/** The text of a cell up to its limit. `onCut` is called if it is longer. */
export function cutCell(text: string, onCut: () => void): string {
  if (text.length <= MAX_CELL) return text;
  onCut();
  return `${text.slice(0, MAX_CELL).toWellFormed()}…`;
}

/** Maximum depth of files inside files. */
export const MAX_NESTED = 2;
/** Maximum asides of a page or a sheet. */
export const MAX_ASIDES = 10_000;
