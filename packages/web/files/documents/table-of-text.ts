/** The most that is shown of a table. */
const MAX_ROWS = 500;
const MAX_COLUMNS = 50;
const MAX_CELL = 1_000;

export interface Table {
  readonly rows: readonly (readonly string[])[];
  readonly isCut: boolean;
}

/** Comma-separated values (RFC 4180), also with semicolons or tabs, as spreadsheets write them in some languages. */
export function tableOfText(text: string): Table {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let isCut = false;
  const end = (cell: string) => {
    if (row.length === MAX_COLUMNS || cell.length > MAX_CELL) isCut = true;
    if (row.length < MAX_COLUMNS) row.push(cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL)}…` : cell);
  };
  for (let at = 0; at <= text.length; at += 1) {
    const [inQuotes, after] = text[at] === '"' ? quoted(text, at) : ['', at];
    const next = cellEnd(text, after, separator);
    end(inQuotes + text.slice(after, next));
    at = next;
    if (text[at] === separator) continue;
    // An empty line is no row.
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (rows.length > MAX_ROWS) return { rows: rows.slice(0, MAX_ROWS), isCut: true };
    if (at >= text.length) break;
  }
  return { rows, isCut };
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** The index of the separator or line end after a cell. */
function cellEnd(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1;
  return at;
}

/** What stands in quotes, where two quotes are one, and the index after it. */
function quoted(text: string, from: number): [string, number] {
  let cell = '';
  let start = from + 1;
  for (;;) {
    const quote = text.indexOf('"', start);
    if (quote === -1) return [cell + text.slice(start), text.length];
    cell += text.slice(start, quote);
    if (text[quote + 1] !== '"') return [cell, quote + 1];
    cell += '"';
    start = quote + 2;
  }
}
