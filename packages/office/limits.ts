/** Maximum sheets, and slides, that are read of a file. */
export const MOST_SHEETS = 50;
export const MOST_SLIDES = 500;

/** Maximum characters of a cell of a sheet. */
const MOST_CELL = 1_000;

export const cutCell = (text: string): string =>
  text.length > MOST_CELL ? `${text.slice(0, MOST_CELL).toWellFormed()}…` : text;
